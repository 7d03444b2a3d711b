#!/bin/sh
# The networks of reder-medium, the whole chain in one go, within so many minutes of one GPU: teacher, what it makes of
# the text, student.
#
#   model/recipes/medium.sh 26
#   model/recipes/medium.sh 26 --from-weights bundles/reder-medium/weights.safetensors   (options of the student's run)
#
# The recipes with their times go to runs/medium-teacher.toml and runs/medium.toml; export the latter. Called again after
# a stop, each step goes on where it stood, but with the minutes that are given then.
set -eu
minutes=$1
shift
end=$(($(date +%s) + minutes * 60))
mkdir -p runs

recipe() {  # NAME MINUTES: at the full learning rate for four tenths of them
    awk -v minutes="$2" '
        /^max_minutes = / { printf "max_minutes = %.2f\n", minutes; next }
        /^decay_minutes = / { printf "decay_minutes = %.2f\n", 0.6 * minutes; next }
        { print }' "model/recipes/$1.toml" > "runs/$1.toml"
}

share() { awk -v minutes="$minutes" "BEGIN { printf \"%.2f\", $1 * minutes }"; }

recipe medium-teacher "$(share 0.36)"
reder train runs/medium-teacher.toml
model/recipes/distill-medium.sh runs/medium-teacher/mean.safetensors "$(share 0.07)"
# half a minute for starting, the last validation and saving
recipe medium "$(awk -v end="$end" -v now="$(date +%s)" 'BEGIN { printf "%.2f", (end - now) / 60 - 0.5 }')"
reder train runs/medium.toml "$@"
