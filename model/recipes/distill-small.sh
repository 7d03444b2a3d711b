#!/bin/sh
# What the teacher makes of the text, for small-distilled.toml: a process for each direction, some 20 minutes.
#
#   model/recipes/distill-small.sh runs/teacher/mean.safetensors
#
# Captions with a beam of 4, the rest greedily. Stopped and called again, it goes on where it stood; --minutes bounds
# each part, and what is not translated by then is left out.
set -eu
weights=$1
text=data/train

translate() {  # FOLDER DIRECTION MINUTES BEAM, then inputs and shares
    folder=$1 direction=$2 minutes=$3 beam=$4
    shift 4
    OMP_NUM_THREADS=1 reder distill "$@" --weights "$weights" --tokenizer data/packed --output "$folder" \
        --dir "$direction" --beam "$beam" --minutes "$minutes" --shard-sentences 4000
}

both_kinds() {  # DIRECTION
    translate data/distilled/captions "$1" 10 4 $text/prose.tsv.xz \
        --share 'multi30k-task1-train=1' --share '*=0'
    translate data/distilled/manuals "$1" 9 1 $text/docs-human.tsv.xz $text/ui.tsv.xz $text/docs-mt.tsv.xz \
        --share 'libreoffice-help=0.6' --share 'gimp-help=0.8' --share 'deb-ui-catalogues=0.2' \
        --share 'deb-stellarium*=0.4' --share 'debian-website=0.08' --share 'debian-faq=1' --share 'php-doc=0.1' \
        --share 'manpages-de=0.1' --share 'rust-book=0.2' --share 'adobe-*=0.03' --share 'ms-*.HT=0.04' \
        --share 'ms-skype=0.04' --share 'mdn-de.MT=0.03' --share '*=0'
    translate data/distilled/prose "$1" 12 1 $text/prose.tsv.xz \
        --share 'multi30k-task1-train=0' --share 'stsb*=1' --share 'tatoeba-*=0.9' --share 'wmt20-chat*=0.6' \
        --share 'xsid=1' --share 'andors*=0.3' --share 'evol*=0.6' --share 'deb-wesnoth=0.2' \
        --share 'deb-cataclysm*=0.2' --share 'deb-naev=0.1' --share 'deb-widelands=0.2' --share 'deb-freeciv=0.3' \
        --share 'deb-freedink=0.8' --share 'shattered*=0.4' --share 'solarus*=0.8' --share 'wmt*-dev=1' \
        --share 'ud-pud=1' --share 'xquad=1' --share 'mt-geneval=1' --share 'mlqe-pe=0.6' --share 'opennmt*=0.5' \
        --share 'bilinguator*=0.3' --share 'androidaps*=0.3' --share 'corona*=1' --share 'tails*=0.7' \
        --share 'mozilla*=0.7' --share 'deltachat*=1' --share 'opensource*=1' --share 'debian-website=0.15' \
        --share 'dnd5e*=0.3' --share '*=0'
}

both_kinds en-de &
other=$!
both_kinds de-en
wait "$other"  # alone, `wait` would pass over a failure
