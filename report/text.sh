#!/bin/bash
# Writes the results as Markdown, where gnuplot, rsvg-convert or LaTeX is missing and no report can be typeset.
#   TILELAB= DATA= EXPS= report/text.sh FILE.md
# SPDX-License-Identifier: MIT
set -eu -o pipefail
TILELAB=${TILELAB:-build/tilelab} DATA=${DATA:-data/local}
file=$1
mkdir -p "$(dirname "$file")"
trap 'rm -f "$file.new"' EXIT
{
    printf '# Results of this machine\n'
    for study in $EXPS; do
        [ -e "$DATA/$study.results.csv" ] || continue
        title=$(sed -n -E 's/^title:.*en: *"([^"]*)".*/\1/p; s/^ +en: *"([^"]*)"$/\1/p' "experiments/$study.yaml" |
            head -n 1)
        printf '\n## %s\n\n```\n' "${title:-$study}"
        "$TILELAB" show --data "$DATA" "$study"
        printf '```\n'
    done
} >"$file.new"
mv "$file.new" "$file"
