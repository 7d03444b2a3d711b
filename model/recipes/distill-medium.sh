#!/bin/sh
# What the teacher makes of the text, both ways side by side, for medium.toml: two minutes on one GPU.
#
#   model/recipes/distill-medium.sh runs/medium-teacher/mean.safetensors [MINUTES]
#
# German by engines is learned from as it is, so little of it is translated into German again. Stopped and called again,
# it goes on where it stood; what is not translated within the minutes is left out.
set -eu
weights=$1
minutes=${2:-1.6}

translate() {  # DIRECTION, then shares
    direction=$1
    shift
    reder distill-packed data/packed --weights "$weights" --output "data/packed-$direction" --dir "$direction" \
        --minutes "$minutes" --shard-sentences 60000 "$@"
}

translate en-de --share 'adobe-*=0.1' --share 'ms-*.HT=0.6' --share 'ms-*=0.08' --share 'mdn-de.MT=0.1' \
    --share 'ding-dictionary=0.6' &
other=$!
translate de-en --share 'adobe-*=0.5' --share 'ms-*.HT=0.6' --share 'ms-win32.MT=0.2' --share 'ms-*=0.4' \
    --share 'mdn-de.MT=0.5' --share 'ding-dictionary=0.6'
wait "$other"  # alone, `wait` would pass over a failure
