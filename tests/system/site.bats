# Makes the site from invented data: its pages are well-formed, its links resolve, and hostile text is shown as its
# characters. Where Chromium is installed, it runs the scripts of the pages.
# SPDX-License-Identifier: MIT

bats_require_minimum_version 1.5.0

load report

# The site of the invented data and all kernels is built once. A test that changes something builds a copy of it anew.
setup_file() {
    command -v gnuplot >/dev/null || skip 'gnuplot is missing'
    local tree=$BATS_FILE_TMPDIR/a
    at_root
    tree "$tree"
    cp -r "$root/site" "$tree/"
    # A cell with two samples.
    cell=$(grep -m 1 -oE '^hostile,[0-9a-f]{16},.*,ok,' "$tree/data/gpu/hostile.results.csv" | cut -d, -f 2)
    export cell
    printf "$cell,%d,0,0,2,0.00%d,,,,,1.98e9,\n" 0 3 1 4 >>"$tree/data/gpu/hostile.samples.csv"
    (cd "$tree" && site/build.sh) || return 1
}

setup() {
    NEEDED=gnuplot prepare
    cp -r "$BATS_FILE_TMPDIR/a" .
}

# few_kernels: leaves few kernels where the pages of the others are not the point.
few_kernels() { find a/kernels -type f ! -path '*/matmul/seq_*' -delete; }

build() { (cd a && site/build.sh); }

# page NAME: the page after its scripts have run. NAME may have a part behind #.
page() {
    local chromium
    chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        skip 'Chromium is missing'
    "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" --virtual-time-budget=5000 \
        --enable-logging=stderr --dump-dom "file://$PWD/a/build/site/$1" 2>browser.log
    run -1 grep -F 'Uncaught' browser.log
}

@test "every page is well-formed, and every link resolves" {
    command -v python3 >/dev/null || skip 'python3 is missing'
    "$root/tests/site-check" a/build/site
    local pages files
    pages=$(find a/build/site -name 'kernel-*' | wc -l)
    files=$(find a/kernels -mindepth 2 -type f | wc -l)
    [ "$pages" -eq "$files" ]
}

@test "the site has the figures that a report of many studies leaves out" {
    cd a/build/site
    sed -nE 's/^ *"experiment": \{"name": "([^"]*)".*"figures": \[([^]]*)\].*/\1 \2/p' ../../data/*/*.run.json |
        tr -d ',"' | sort -u >asked
    [ -s asked ]
    local study names name
    while read -r study names; do
        for name in $names; do
            grep -q "id=\"figure-$name\"" "study-$study.html" || { echo "$study has no $name"; return 1; }
        done
    done <asked
}

@test "the figures of two machines have one frame" {
    few_kernels
    # A kernel that is a thousand times as slow on one of them.
    awk -F, -v OFS=, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["variant"] == "matmul/seq-ijk" && $at["gflops"] { $at["gflops"] /= 1000 }
        { print }' a/data/gpu/hostile.results.csv >new
    mv new a/data/gpu/hostile.results.csv
    older a/data/gpu
    build
    for host in gpu local; do
        grep -oE '<text><tspan[^>]*>[0-9.]+' a/build/site.work/hostile.gflops-by-n.$host.figure |
            sed 's/.*>//' | grep -E '^(10*|0\.0*1)$' | sort -u >$host
    done
    [ "$(wc -l <gpu)" -ge 4 ]
    diff gpu local
}

@test "a figure names each of its curves" {
    cp -r "$root/data/epyc-2core" a/data/
    few_kernels
    (cd a && EXPS='feup-matmul-seq feup-lu-tasks' HOSTS=epyc-2core site/build.sh)
    [ -f a/build/site.work/feup-lu-tasks.timeline.epyc-2core.figure ]
    local figure data seen=0
    for figure in a/build/site.work/*.figure; do
        data=${figure%.figure}.data
        # A long name stands on two lines.
        grep -oE '<tspan[^>]*>[^<]*' "$figure" | sed 's/.*>//' | tr -d ' \n' >names
        sed -nE "s/^array curves_title.* = \['(.*)'\]$/\1/p" "$data" | sed "s/', '/\n/g" | tr -d ' ' >curves
        sed -nE 's/^array curves_grey.* = \[(.*)\]$/\1/p' "$data" | sed 's/, /\n/g' >grey
        paste -d ' ' curves grey | while read -r name is_grey; do
            [ "$is_grey" = 1 ] || grep -qF "$name" names || { echo "$figure lacks $name"; exit 1; }
        done
        seen=$((seen + 1))
    done
    [ "$seen" -ge 2 ]
}

@test "the site says what was measured, what was not and why, and what the claims came to" {
    cd a/build/site
    grep -q 'study-slow-gpu.html' index.html
    grep -q 'no NVIDIA driver' cells-slow-gpu.local.html
    # What was not measured has no error, and no source that could have changed since.
    grep '>skipped<' cells-slow-gpu.local.html | run -1 grep -E '[0-9]e[+-]|stale|earlier source' -
    grep -q '<svg' study-hostile.html
    grep -q 'data-label="Clock, GHz">1.98<' cells-hostile.gpu.html
    grep -A9 '<section id="figure-standing">' index.html | grep -q '<svg'
    grep -qF "\"$cell\":[[0,0,0,2,0.003,null,null,null,1.98,null,null,null," samples-hostile.gpu.js
    grep -q 'not comparable here' claims.html
    grep -q '<span class="keyword">__shared__</span>' kernel-matmul-cuda_shared.cu.html
    grep -q '<span class="keyword">__local</span>' kernel-matmul-opencl_tiled.cl.html
}

@test "a study that nothing was measured of says why, and how many cells" {
    few_kernels
    sed -i 's/,ok,/,skipped,/' a/data/*/slow-gpu.results.csv
    older a/data/gpu
    older a/data/local
    build
    cd a/build/site
    grep -q '<h2>Nothing was measured</h2>' study-slow-gpu.html
    grep -q 'no NVIDIA driver.*data-label="Cells">[0-9]' study-slow-gpu.html
    run -1 grep 'id="reading"' study-slow-gpu.html
    grep -q 'study-slow-gpu.html.*>nothing measured<' index.html
    run -1 grep 'Nothing was measured' study-hostile.html
}

@test "the start page names a variant that is wrong, and nobody's best has its name" {
    few_kernels
    run -1 grep -q 'Variants that are wrong' a/build/site/index.html
    spoil a/data/gpu/hostile.results.csv matmul/omp-ijk 64
    older a/data/gpu
    build
    grep -A9 '<h2>Variants that are wrong</h2>' a/build/site/index.html >named
    grep -q '>gpu</td><td [^>]*>matmul/omp-ijk</td>.*2 of 4.*wrong: C(0 32) is 0' named
    # Its results on the other machine count.
    grep -A3 '>This machine<' a/build/site/index.html | grep -q '>omp-ijk</td>'
    grep -A3 'host gpu<' a/build/site/index.html >best
    grep -q '>seq-ijk</td>' best
    run -1 grep omp-ijk best
    grep -q withdrawn a/build/site/cells-hostile.gpu.html
}

@test "a kernel's page shows its machine code, and a page compares the machines" {
    cd a/build/site
    grep -q '<h1>Machines compared</h1>' compare.html
    # A caption ends where the report's ends, before its label.
    grep -q '<p class="caption">The fastest own variant of [^<]* or with intervals\.</p>' index.html
    command -v objdump >/dev/null || skip 'objdump is missing'
    grep -q 'Machine code of the innermost loop' kernel-matmul-seq_ikj.c.html
    grep -Eq '^kernels/matmul/seq_ikj.c:[0-9]+  c\[i' kernel-matmul-seq_ikj.c.html
    run -1 grep -q 'Machine code' kernel-matmul-problem.c.html
}

@test "a kernel's page tells another version of the source only where it is one" {
    printf 'schema: 1\ntitle: {en: "Test"}\nsource: tilelab\nproblem: matmul\nprecision: f64\n' >mine.yaml
    printf 'grid: {n: [64], variant: [seq-ijk, seq-ikj]}\n' >>mine.yaml
    TILELAB_FAKE_TIMER=1 "$TILELAB" run mine.yaml --profile quick --data mine
    compiled() {
        (cd "$root" && "$TILELAB" query --data "$BATS_TEST_TMPDIR/mine" --published data/published --set studies= \
            --set hosts=all --format lines site/compiled.sql) | grep -o 'matmul/seq-i[jk]*<.*another'
    }
    run -1 compiled
    sed -i '/"name": "matmul\/seq-ijk"/,/}/s/"source_hash": ".\{8\}/"source_hash": "00000000/' mine/mine.run.json
    run -0 compiled
    [[ "$output" == 'matmul/seq-ijk<'* && "${#lines[@]}" -eq 1 ]] || { echo "$output"; return 1; }
}

@test "a kernel of one's own folder has a page" {
    few_kernels
    cd a
    mkdir experiments
    export XDG_CACHE_HOME=$PWD/cache TILELAB_FAKE_TIMER=1
    "$TILELAB" new variant matmul/seq-mine --kernels own
    printf 'schema: 1\ntitle: {en: "Test"}\nsource: own\nproblem: matmul\nkernels: ../own\nprecision: f64\n' \
        >experiments/mine.yaml
    printf 'grid: {n: [16], variant: [seq-mine]}\n' >>experiments/mine.yaml
    "$TILELAB" run experiments/mine.yaml --data mine
    DATA=mine EXPS=mine HOSTS=none site/build.sh
    grep -q 'VARIANT(matmul, seq_mine)' build/site/kernel-matmul-seq_mine.c.html
    grep -q 'kernel-matmul-seq_mine.c.html' build/site/cells-mine.mine.html
}

@test "a hostile title is shown as its characters" {
    sed -i 's|"title_en": "|&</title><script>alert(1)</script>|' a/data/*/hostile.run.json
    few_kernels
    build
    grep -q '&#60;script&#62;alert(1)&#60;/script&#62;' a/build/site/study-hostile.html
    run -1 grep -rl '<script>' a/build/site --include='*.html'
    run -1 grep -rF 'root:x:' a/build/site
}

@test "the site does nothing where nothing changed, and other folders give the same bytes" {
    run -0 build
    [ -z "$output" ]
    # A kernel of each language suffices where the pages of all kernels are not the point.
    find a/kernels -type f ! -path '*/matmul/seq_*' ! -name cuda_shared.cu ! -name opencl_tiled.cl -delete
    build
    cp -r a/build/site first
    mkdir -p deeper/folder
    mv a deeper/folder/
    rm -r deeper/folder/a/build
    (cd deeper/folder/a && TZ=Asia/Tokyo site/build.sh)
    diff -r first deeper/folder/a/build/site
}

@test "two calls for a site wait for each other" {
    command -v flock >/dev/null || skip 'flock is missing'
    local waiting
    exec {lock}>a/build/site.work/lock
    flock "$lock"
    (cd a && exec site/build.sh {lock}>&-) 2>told 3>&- &
    waiting=$!
    until [ -s told ]; do sleep 0.02; done
    [ "$(<told)" = "site: waiting for another site, which works in $(realpath a/build/site.work)" ]
    flock --unlock "$lock"
    wait $waiting
}

@test "no data at all, and recorded hosts alone, are sites too" {
    few_kernels
    rm -r a/data/local
    build
    grep -q 'cells-hostile.gpu.html' a/build/site/index.html
    rm -r a/data/gpu
    build
    grep -q '<h1>tilelab' a/build/site/index.html
}

@test "the comparison of a site of some studies has no other studies" {
    few_kernels
    build
    grep -q 'study-hostile.html' a/build/site/compare.html
    EXPS=slow-gpu build
    [ ! -e a/build/site/study-hostile.html ]
    run -1 grep 'hostile' a/build/site/compare.html
    HOSTS=none EXPS=hostile build
    [ -e a/build/site/cells-hostile.local.html ]
    [ ! -e a/build/site/cells-hostile.gpu.html ]
    HOSTS=gpuu run -2 build
    [[ $output == *"unknown host 'gpuu'"* ]]
}

@test "the start page explains its signs, and a comparison that has one machine says how to get another" {
    few_kernels
    local language signs few
    run -1 grep 'merge' a/build/site/compare.html
    rm -r a/data/local
    while IFS='|' read -r language signs few; do
        REPORT_LANGUAGE=$language build
        grep -q "<p class=\"caption\">.*$signs" a/build/site/index.html || { echo "$language"; return 1; }
        grep -q "$few" a/build/site/compare.html
        run -1 grep '<table' a/build/site/compare.html
    done <<'END'
en|A star marks|no cells that two machines have.*make measure.*tilelab merge FOLDER
ru|Звёздочка: |нет ячеек, измеренных на двух машинах.*make measure.*tilelab merge
END
}

@test "a figure and a page that fail are named, and the site goes on without them" {
    few_kernels
    echo 'no command of gnuplot' >a/figures/gflops-by-n.gp
    echo 'SELECT nothing;' >a/site/kernels.sql
    run -2 build
    [[ $output == *'site: failed: hostile: figure gflops-by-n of gpu; the site goes on without it'* ]] ||
        { echo "$output"; return 1; }
    grep -q '<section id="table-' a/build/site/study-hostile.html
    [[ $output == *'site: failed: kernels.html; the site goes on without it'* ]]
    [ ! -e a/build/site/kernels.html ] && [ -s a/build/site/claims.html ]
    run -1 grep -q 'id="figure-gflops-by-n"' a/build/site/study-hostile.html
}

@test "without gnuplot a site says so first, and has everything else" {
    few_kernels
    mkdir bin
    ln -s /usr/bin/* /bin/* bin/ 2>/dev/null || true
    rm bin/gnuplot
    PATH=$PWD/bin run -0 build
    [[ ${lines[0]} == 'site: there will be no figures without gnuplot; '* ]] || { echo "$output"; return 1; }
    run -1 grep -q '<svg' a/build/site/study-hostile.html
}

@test "a page without scripts claims nothing that needs them, and a table wider than the page says so" {
    cd a/build/site
    # site.js alone marks a page, and the rest of the style sheet asks for the mark.
    run -1 grep -l 'class="scripted"' ./*.html
    grep -q '<p class="scripts">The head of a column is a button' index.html
    grep -q '^html:not(\.scripted) \.scripts { display: none; }' site.css
    run -1 grep -E '^(thead|th)[^{]*\{[^}]*cursor' site.css
    run -1 grep -l '<button' ./*.html
    # A drawing has an alternative text, and no name of a file as a tip.
    [ "$(grep -c 'role="img" aria-label="Speed and measured ceilings, [^"]*' study-hostile.html)" -ge 2 ]
    run -1 grep '^<title>hostile' study-hostile.html
    grep -q '<p class="caption moves">This table is wider' cells-hostile.gpu.html
    grep -q '<div class="table" role="region" tabindex="0" aria-label="This table is wider' cells-hostile.gpu.html
}

@test "in a browser, a cell shows its samples, a curve has a switch, and a number leads to its cell" {
    page "cells-hostile.gpu.html#$cell" >dom
    grep -q '<td data-label="clock, GHz" class="number">1.98</td>.*samples: 2<br' dom
    grep -q "<tr id=\"$cell\" class=\"chosen\"" dom
    page study-hostile.html >dom
    grep -q '<button type="button" aria-pressed="true"' dom
    grep -qE '<a href="cells-hostile.(gpu|local).html#[0-9a-f]{16}" class="source-row">' dom
    page 'cells-hostile.gpu.html#?no-such-cell' >dom
    run -1 grep -E '<tr id="[0-9a-f]+">' dom
}

@test "in a browser, the mouse or a key reads a curve off, a switch hides it, and a head sorts a table" {
    # Another script does what a person does, and writes what it saw into the page.
    cat >a/build/site/drive.js <<'JS'
document.addEventListener('DOMContentLoaded', () => {
    const tell = (name, text) => { document.body.dataset[name] = text; };
    const svg = document.querySelector('figure.plot svg'), reading = document.querySelector('.reading');
    const box = svg.getBoundingClientRect();
    const read = () => {
        for (let y = box.top; y < box.bottom; y += 4)
            for (let x = box.left; x < box.right; x += 4) {
                svg.dispatchEvent(new MouseEvent('mousemove', {clientX: x, clientY: y, bubbles: true}));
                if (!reading.hidden) return reading.textContent.replace(/\n/g, '; ');
            }
        return 'nothing';
    };
    tell('before', read());
    const press = (key) => svg.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    press('Escape');
    tell('keys', [reading.hidden, svg.tabIndex, press('ArrowRight') && '', reading.hidden].join(' '));
    document.querySelectorAll('.legend button').forEach((one) => one.click());
    tell('after', read());
    const head = [...document.querySelectorAll('section table thead th')].find((one) => one.textContent === 'n');
    const body = head.closest('table').tBodies[0];
    head.querySelector('button').click();
    head.querySelector('button').click();
    tell('sorted', [...body.rows].slice(1).map((row) => row.cells[head.cellIndex].textContent).join(' '));
});
JS
    sed -i 's|</head>|<script src="drive.js" defer="defer"></script></head>|' a/build/site/study-hostile.html
    page study-hostile.html >dom
    grep -oE 'data-(before|keys|after|sorted)="[^"]*"' dom >seen
    cat seen
    grep -qE 'data-before="[a-z-]+[^"]*; n: [0-9]+; time: [0-9.]+ [µm]?s' seen
    grep -q 'data-after="nothing"' seen
    grep -q 'data-keys="true 0  false"' seen
    numbers=$(grep -oE 'data-sorted="[0-9 ]+"' seen | grep -oE '[0-9]+')
    [ "$numbers" = "$(sort -rn <<<"$numbers")" ]
}

@test "in a browser, each curve that the legend of a figure names has a point that can be read off" {
    cp -r "$root/data/epyc-2core" a/data/
    few_kernels
    # Panels, a map, and boxes.
    (cd a && EXPS='feup-lu-omp feup-lu-tasks' HOSTS=epyc-2core site/build.sh)
    cat >a/build/site/drive.js <<'JS'
document.addEventListener('DOMContentLoaded', () => {
    for (const figure of document.querySelectorAll('figure.plot')) {
        const svg = figure.querySelector('svg'), reading = figure.querySelector('.reading'), seen = new Set();
        for (let i = 2 * figure.dataset.points.split(/[;|]/).length; i >= 0; i--) {
            svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
            seen.add(reading.textContent.split('\n')[0]);
        }
        for (const button of figure.querySelectorAll('.legend button'))
            button.dataset.told = seen.has(button.textContent) ? 'read off' : `unread: ${button.textContent}`;
    }
});
JS
    local study
    for study in feup-lu-omp feup-lu-tasks; do
        sed -i 's|</head>|<script src="drive.js" defer="defer"></script></head>|' a/build/site/study-$study.html
        page study-$study.html >dom
        grep -oE 'data-told="[^"]*"' dom | sort | uniq -c >told
        cat told
        grep -q 'read off' told
        run -1 grep unread told
    done
}

@test "a site in Russian says in Russian what the English one says, and an unknown language is refused" {
    command -v python3 >/dev/null || skip 'python3 is missing'
    REPORT_LANGUAGE=xx run -2 build
    [[ $output == *"unknown language 'xx'; there are: en ru"* ]]
    cmp a/build/site/index.html "$BATS_FILE_TMPDIR/a/build/site/index.html"
    few_kernels
    REPORT_LANGUAGE=ru build
    "$root/tests/site-check" a/build/site
    cd a/build/site
    grep -q '<html lang="ru"' index.html
    grep -q '<a href="study-hostile.html">hostile</a>' index.html
    grep -q 'на этой машине нет драйвера NVIDIA\|нет драйвера NVIDIA' cells-slow-gpu.local.html
    # What is left in English are names, and the program's words about failures.
    for page in index study-hostile study-slow-gpu conclusions claims compare; do
        sed -E 's/<svg.*//; s/<[^>]*>/ /g' "$page.html"
    done | run -1 grep -owE 'the|and|with|which|from|times|faster|slower|measured|Table|Figure|median|Search' -
}

@test "a study tells what it found and what its figures show, with the numbers of its data" {
    cp -r "$root/data/h200" a/data/
    few_kernels
    EXPS=lab5-aat build
    cd a/build/site
    grep -q '<h2>What the transposed tile costs: A, B, B\*</h2>' study-lab5-aat.html
    grep -qE '<p class="caption">[^<]*h200[,:]' study-lab5-aat.html
    grep -qE 'bank conflicts\. B\*, which has neither fault, is..?[0-9.]+ ' study-lab5-aat.html
    grep -qE '<li><strong>[^<]*\?</strong>' conclusions.html
    run -1 grep -lE '[\\](fact|code|iffact|each|ratio)' study-lab5-aat.html conclusions.html index.html
}
