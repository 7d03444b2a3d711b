#!/bin/sh
# Of what the student writes with a beam of 10 and language models, what is closest to people's translations, for
# small-one-way.toml: a process for each direction, some 25 minutes.
#
#   model/recipes/self-distill.sh --bundle bundles/reder-medium
#   model/recipes/self-distill.sh --weights runs/student.safetensors --tokenizer data/packed \
#     --language-models data/language-models
#
# What is too far from people's translation is left out: the student is to learn from what it gets right. Stopped and
# called again, it goes on where it stood; each part is bounded in minutes, and what is not translated by then is left
# out.
set -eu
teacher="$*"
text=data/train

translate() {  # FOLDER DIRECTION MINUTES LEAST-CHRF, then inputs and shares
    folder=$1 direction=$2 minutes=$3 chrf=$4
    shift 4
    # shellcheck disable=SC2086 - these are several words
    OMP_NUM_THREADS=1 reder distill "$@" $teacher --output "data/self/$folder" --dir "$direction" --beam 10 \
        --closest --min-chrf "$chrf" --minutes "$minutes" --shard-sentences 2000
}

all_kinds() {  # DIRECTION
    translate captions "$1" 5 60 $text/prose.tsv.xz \
        --share 'multi30k-task1-train=1' --share '*=0'
    translate manuals "$1" 9 45 $text/docs-human.tsv.xz $text/ui.tsv.xz \
        --share 'libreoffice-help=1' --share 'gimp-help=1' --share 'deb-ui-catalogues=0.25' \
        --share 'deb-stellarium*=0.3' --share 'debian-faq=1' --share 'php-doc=0.1' --share 'manpages-de=0.1' \
        --share 'rust-book=0.2' --share 'adobe-*=0.04' --share 'ms-*=0.04' --share '*=0'
    translate prose "$1" 8 45 $text/prose.tsv.xz \
        --share 'multi30k-task1-train=0' --share 'stsb*=1' --share 'tatoeba-*=0.6' --share 'wmt20-chat*=0.4' \
        --share 'xsid=1' --share 'andors*=0.2' --share 'evol*=0.4' --share 'deb-wesnoth=0.1' \
        --share 'deb-cataclysm*=0.1' --share 'deb-freeciv=0.2' --share 'deb-freedink=0.5' --share 'shattered*=0.3' \
        --share 'solarus*=0.6' --share 'wmt*-dev=1' --share 'ud-pud=1' --share 'xquad=1' --share 'mt-geneval=1' \
        --share 'mlqe-pe=0.6' --share 'opennmt*=0.5' --share 'bilinguator*=0.3' --share 'androidaps*=0.3' \
        --share 'corona*=1' --share 'tails*=0.7' --share 'mozilla*=0.7' --share 'deltachat*=1' \
        --share 'opensource*=1' --share 'debian-website=0.15' --share '*=0'
}

all_kinds en-de &
other=$!
all_kinds de-en
wait "$other"  # alone, `wait` would pass over a failure
