# What the tests of the report share: each makes a report in a folder of its own, from a copy of the sources.
# SPDX-License-Identifier: MIT

[ -z "${BATS_VERSION-}" ] || bats_require_minimum_version 1.5.0

# at_root: sets `root`, the folder of the repository, and the program. LaTeX makes the fonts that it lacks once a file.
at_root() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    TILELAB=$(realpath "${TILELAB:-$root/build/tilelab}")
    export TILELAB TEXMFVAR=$BATS_RUN_TMPDIR/texmf-var
}

# prepare: enters the folder of a test; without a program that NEEDED names, the test is skipped.
prepare() {
    at_root
    for tool in ${NEEDED-}; do
        command -v "$tool" >/dev/null || skip "$tool is missing"
    done
    cd "$BATS_TEST_TMPDIR" || return 1
}

setup() { prepare; }

# made FOLDER: copies the tree that setup_file has made.
made() { cp -r "$BATS_FILE_TMPDIR/made" "$1"; }

# A test that fails shows the output of its last `run`.
teardown() {
    [ -n "${BATS_TEST_COMPLETED:-}" ] || printf '%s\n' "${output:-}" "${stderr:-}"
}

# sources FOLDER: copies what a report is made from, without data of a machine.
sources() {
    mkdir -p "$1/data"
    cp -r "$root/figures" "$root/report" "$root/kernels" "$root/experiments" "$1/"
    cp -r "$root/data/published" "$1/data/"
}

# tree FOLDER: copies the sources, and the invented data of two machines, whose studies have no experiment files.
tree() {
    sources "$1"
    rm -r "$1/experiments"
    cp -r "$root/tests/golden/report/." "$1/data/"
}

# without_gpu FROM TO: copies recorded results without the rows of a GPU.
without_gpu() {
    local file
    mkdir -p "$2"
    for file in "$1"/*.{results,samples}.csv "$1"/*.{run.json,history.csv}; do
        [ ! -f "$file" ] || sed -E '/,(cuda|opencl),/d; /^  "gpu": \{/,/^  \}/d' "$file" >"$2/${file##*/}"
    done
}

# fits FOLDER: fails if a box of its report is more than 1 pt too large, if a word stands in a margin, if the type in a
# figure is too small, or if a reference is open. TeX complains too of the pages that multicol tries and drops; the
# places of the words tell whether a page is too tall. A page of A4 has 595 x 842 points.
fits() {
    awk '/^Overfull/ && match($0, /\([0-9.]+pt/) && substr($0, RSTART + 1) + 0 > 1 && !/output is active/ {
            print
            found = 1
        }
        /^tilelab: / || /^LaTeX Warning: .*undefined/ { print; found = 1 }
        END { exit found }' "$1/build/report/out/report.log" &&
        pdftotext -bbox "$1/build/report.pdf" - | awk -F '"' '
            /<word/ && ($2 < 43 || $4 < 20 || $6 > 554 || $8 > 828) { print; found = 1 }
            END { exit found }'
}

# brief FOLDER: fails if a caption of its report has too many lines, and prints each such caption.
brief() {
    local lines kind number found=0
    while read -r lines kind number; do
        found=1
        echo "$kind $number has a caption of $lines lines:"
        grep -F "\\contentsline {$kind}{\\numberline {$number}" "$1/build/report/out/report.aux"
    done < <(sed -nE 's/^Caption of ([0-9]+) lines: (figure|table) (.*)/\1 \2 \3/p' "$1/build/report/out/report.log")
    return $found
}

# referred FOLDER: fails if the text of its report names the number of some table or figure nowhere. A study names those
# from its first one to its last one.
referred() {
    sed -nE 's/^\\newlabel\{((table|figure):[^}]*)\}\{\{([^}]*)\}.*/label \1 \2 \3/p' \
        "$1/build/report/out/report.aux" >floats
    grep -ohE '\\(ref|floatrange) *\{(table|figure):[^}]*\}(\{[^}]*\})?' "$1/build/report/out/report.aux" \
        "$1"/build/report/text/*.tex >>floats
    awk '/^label/ { number[$2] = $4; kind[$2] = $3; next }
        {
            last = part[split($0, part, /[{}]+/) - 1]
            for (i = number[part[2]] + 0; i <= number[last]; i++) named[kind[last], i] = 1
        }
        END {
            for (name in number)
                if (!((kind[name], number[name] + 0) in named)) { print name " is never named"; found = 1 }
            exit found
        }' floats
}

# spoil FILE VARIANT N: makes the variant of a results.csv wrong at this n, and 50 times as fast at all others.
spoil() {
    awk -F, -v OFS=, -v variant="$2" -v n="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
        $at["variant"] != variant { print; next }
        $at["n"] == n {
            for (i = at["rounds"]; i < at["predicted_s"]; i++) $i = ""
            $at["status"] = "wrong"
            $at["reason"] = "C(0 32) is 0"
            print
            next
        }
        {
            $at["median_s"] /= 50; $at["ci_lo_s"] /= 50; $at["ci_hi_s"] /= 50; $at["min_s"] /= 50
            $at["gflops"] *= 50; $at["gbs"] *= 50
            print
        }' "$1" >"$1.new" && mv "$1.new" "$1"
}

# older FOLDER: takes out of the run records what older programs did not tell: the counts and hashes of the files, which
# a test has changed.
older() {
    local record
    for record in "$1"/*.run.json; do
        jq 'del(.counts, .outputs)' "$record" >"$1.older"
        mv "$1.older" "$record"
    done
}

pages() {
    pdfinfo "$1/build/report.pdf" | sed -n 's/^Pages: *//p'
}

# text FOLDER: the text of the report, in one line.
text() {
    pdftotext -layout "$1/build/report.pdf" - | tr -s ' \n' ' '
}
