# The report in other languages and layouts: numbers, headings and fixed words, and who hands it in.
# SPDX-License-Identifier: MIT

load report

# The report of the invented data is made once in Russian. `build` in a copy of it does what a change needs.
setup_file() {
    for tool in gnuplot latexmk pdftotext; do
        command -v $tool >/dev/null || return 0
    done
    kpsewhich russianb.ldf >/dev/null || return 0
    at_root
    tree "$BATS_FILE_TMPDIR/made"
    (cd "$BATS_FILE_TMPDIR/made" && REPORT_LANGUAGE=ru REPORT_STYLE=plain report/build.sh report)
}

# ask SQL: the answer in Russian, as CSV.
ask() {
    printf '%s\n' "$1" >query.sql
    "$TILELAB" query --language ru --words "$root/report/words.csv" --data "$BATS_TEST_TMPDIR" --format csv query.sql |
        tail -n +2
}

@test "numbers, units and intervals are written as the language writes them" {
    [ "$(ask "SELECT '1.25 ms'")" = $'"1,25\u00a0мс"' ]
    [ "$(ask "SELECT '1.25 [1.20, 1.31]'")" = '"1,25 [1,20; 1,31]"' ]
    [ "$(ask "SELECT '1,234,567'")" = $'1\u00a0234\u00a0567' ]
    [ "$(ask 'SELECT 0.5')" = '"0,5"' ]
    # No line of a table ends within "n = 4032".
    run -0 "$TILELAB" query --data . --format latex "SELECT 'to n = 4032' AS Measured"
    [[ $output == *'to n~=~4032'* ]]
    # A version and the name of a variant are no numbers.
    [ "$(ask "SELECT 'gcc 12.2.0'")" = 'gcc 12.2.0' ]
    [ "$(ask "SELECT '12.2.0'")" = 12.2.0 ]
    [ "$(ask "SELECT 'cuda-3xtf32, tile 32, 8 threads'")" = '"cuda-3xtf32, тайл 32, потоков: 8"' ]
    [ "$(ask "SELECT 'recorded on A 1.5, host x'")" = 'измерено на x (A 1.5)' ]
    [ "$(ask "SELECT 'undecidedⁿˢ'")" = 'вывода нетⁿˢ' ]
    [ "$(ask "SELECT '1.25 msᵒ'")" = $'"1,25\u00a0мсᵒ"' ]
}

@test "words that are missing, or a language that they lack, are told with the file" {
    echo 'SELECT 1;' >query.sql
    run -2 "$TILELAB" query --language ru query.sql
    [[ $output == *'--words is missing for --language: ru'* ]]
    run -2 "$TILELAB" query --language xx --words "$root/report/words.csv" query.sql
    [ "$output" = "$root/report/words.csv:1: error: there is no column 'xx'" ]
    printf 'en,ru\na,b\nc,\n' >words.csv
    run -2 "$TILELAB" query --language ru --words words.csv query.sql
    [ "$output" = 'words.csv:3: error: a text is empty' ]
    # A figure adds the places of a text up.
    printf 'en,ru\na,b\na,c\n' >words.csv
    run -2 "$TILELAB" query --language ru --words words.csv query.sql
    [ "$output" = 'words.csv:3: error: a text stands here for the second time' ]
}

# query [OPTION]... SQL...: the recorded data in Russian. They are loaded once, into a database.
query() {
    local database=$BATS_TEST_TMPDIR/data.db
    [ -e "$database" ] || load_data --save "$database"
    "$TILELAB" query --language ru --words "$root/report/words.csv" --database "$database" --set host=h200 \
        --set most=4 --set studies= --set hosts=all --set listings=final "$@"
}
load_data() {
    "$TILELAB" query --language ru --words "$root/report/words.csv" --data "$root/data/h200" \
        --experiments "$root/experiments" --published "$root/data/published" "$@"
}

@test "every heading and fixed word of the report's tables and figures has a Russian word" {
    cd "$root"
    cat >"$BATS_TEST_TMPDIR/names.sql" <<'SQL'
SELECT name FROM variants UNION SELECT name FROM known UNION SELECT name FROM problems UNION SELECT name FROM libraries
UNION SELECT name FROM experiments UNION SELECT source FROM experiments UNION SELECT value FROM machine
UNION SELECT setting FROM libraries UNION SELECT substr(config, instr(config, ';')) FROM libraries
UNION SELECT hash FROM libraries UNION SELECT kernel FROM libraries UNION SELECT profile FROM results
UNION SELECT isa FROM results UNION SELECT id FROM claims;
SQL
    query --format lines "$BATS_TEST_TMPDIR/names.sql" | tr -c 'A-Za-z' '\n' | sort -u >"$BATS_TEST_TMPDIR/names"
    printf '%s\n' CPU GPU CUDA NUMA OpenMP OpenBLAS BLIS MKL BLAS FMA SYCL OpenCL LTS nvcc fma wavefronts host \
        >>"$BATS_TEST_TMPDIR/names"
    # Reasons quote paths of libraries, their symbols, targets of make, and the messages of a driver or of a runtime.
    printf '%s\n' usm usr lib linux gnu LAPACK sgetrf dgetrf queue Couldn synchronize with stream error code node \
        event cudaEventSynchronize failed peers >>"$BATS_TEST_TMPDIR/names"
    query --format lines --set whole=yes report/plan.sql >"$BATS_TEST_TMPDIR/plan"
    declare -A seen
    while IFS=$'\t' read -r kind study name _; do
        case $kind in
        table)
            sql=report/tables/$name.sql
            [ -f "$sql" ] || sql=report/study/$name.sql
            format=tsv
            ;;
        figure)
            [ -z "${seen[$name]-}" ] || continue
            sql=figures/$name.sql format=gnuplot
            ;;
        *) continue ;;
        esac
        seen[$name]=1
        query --set "experiment=$study" --format "$format" figures/study.sql "$sql" |
            if [ "$format" = gnuplot ]; then grep -v say_ | grep -oE "'[^']+'" || true; else cat; fi |
            sed "s|^|$sql	|"
    done <"$BATS_TEST_TMPDIR/plan" >"$BATS_TEST_TMPDIR/cells"
    for part in state-by-host testbed-hosts testbed-class state-by-study libraries tally claims-by-host summary notrun \
        places between-table; do
        query --set probes=yes --format tsv report/chosen.sql "report/$part.sql" | sed "s|^|report/$part.sql	|"
        [ "${PIPESTATUS[0]}" -eq 0 ]
    done >>"$BATS_TEST_TMPDIR/cells"
    # Why a cell was not measured on some machine, and what the program says of a library's choice.
    printf '%s\n' sudo apt get install libblis openmp make setup pip prefix build libcuda Docker gpus all deps skip \
        above block reason doctor mpi mpicc UHD GTX >>"$BATS_TEST_TMPDIR/names"
    cat >"$BATS_TEST_TMPDIR/reasons.sql" <<'SQL'
SELECT DISTINCT reason FROM results WHERE status = 'skipped' UNION VALUES
    ('n = 33 is no multiple of tile = 16, as this algorithm demands'), ('built for tile 32 and 64, not 16'),
    ('8 threads on 4 usable cores'), ('8 threads over a CPU quota of 3.5 cores'),
    ('operands of 12.5 GB; 8.25 GB of device memory can be used'),
    ('operands of 12.5 GB; 8.25 GB of memory can be used'),
    ('no blis on this machine; install it: sudo apt-get install -y libblis4-openmp'),
    ('no NVIDIA driver on this machine (libcuda.so.1 not found; in Docker, run with --gpus all)'),
    ('one run is predicted to take 273 s, more than skip-above 120 s'),
    ('one run is predicted to take more than skip-above 120 s'), ('outside the budget of 1 min 40 s: predicted 13.6 s'),
    ('the matrix takes 134.2 MB; registers and shared memory hold 33.6 MB (n = 2048)'), ('no BLAS computes integers'),
    ('aat/cuda-dmma has no f32 version'), ('not built for isa v4 on this architecture'),
    ('a thread block has 2 x 2 to 32 x 32 threads; tile is 64'), ('a block of 2048 threads; CUDA''s limit is 1024'),
    ('OPENBLAS_CORETYPE=Haswell, set by the user; Haswell is a kernel for AVX2, and this processor has AVX-512; what'
     || ' that costs was not measured'),
    ('OPENBLAS_CORETYPE=SkylakeX, set before loading; its own choice, Haswell is a kernel for SSE2 or AVX, and this'
     || ' processor has AVX2. With OPENBLAS_CORETYPE=SkylakeX it takes SkylakeX: sgemm is 1.9 and dgemm 1.8 times as'
     || ' fast (n = 512, one thread)');
SQL
    printf '%s\n' Haswell SkylakeX CORETYPE AVX SSE sgemm dgemm isa dmma >>"$BATS_TEST_TMPDIR/names"
    load_data --data "$root/tests/golden/report/local" --format tsv "$BATS_TEST_TMPDIR/reasons.sql" |
        sed 's|^|reasons\t|' >>"$BATS_TEST_TMPDIR/cells"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/cells")" -gt 300 ]
    awk -F '\t' 'NR == FNR { known[tolower($1)] = 1; next }
        {
            for (i = 2; i <= NF; i++) {
                count = split($i, word, /[^A-Za-z]+/)
                for (w = 1; w <= count; w++)
                    if (length(word[w]) > 2 && !(tolower(word[w]) in known)) {
                        print $1 ": " word[w] " in \"" $i "\""
                        known[tolower(word[w])] = 1
                    }
            }
        }' "$BATS_TEST_TMPDIR/names" "$BATS_TEST_TMPDIR/cells" >"$BATS_TEST_TMPDIR/english"
    cat "$BATS_TEST_TMPDIR/english"
    [ ! -s "$BATS_TEST_TMPDIR/english" ]
}

# need_latex: skips the test where a report in Russian cannot be typeset.
need_latex() {
    for tool in gnuplot latexmk pdftotext; do
        command -v $tool >/dev/null || skip "$tool is missing"
    done
    kpsewhich russianb.ldf >/dev/null || skip 'LaTeX knows no Russian'
}

# build FOLDER LANGUAGE STYLE
build() {
    (cd "$1" && REPORT_LANGUAGE=$2 REPORT_STYLE=$3 report/build.sh report) && fits "$1"
}

@test "what each variant is stands in Russian words" {
    echo "SELECT name, summary FROM known WHERE name NOT LIKE 'fault/%';" >variants.sql
    "$TILELAB" query --language ru --words "$root/report/words.csv" --data "$BATS_TEST_TMPDIR" --format tsv \
        variants.sql >variants.tsv
    [ "$(wc -l <variants.tsv)" -gt 100 ]
    run -1 env LC_ALL=C.UTF-8 grep -vP '^name\t|\p{Cyrillic}' variants.tsv
    [ -z "$output" ]
}

@test "a report in Russian holds no English sentences, and its bytes are those of its data" {
    need_latex
    made a
    tree b
    build a ru plain
    TZ=Asia/Tokyo build b ru plain
    cmp a/build/report.pdf b/build/report.pdf
    [[ $(text a) == *'Основные результаты'*'Испытательный стенд'*'Методика'*'Заключение'* ]]
    [[ $(text a) == *'измерено на gpu (Invented GPU)'* ]]
    # Without the listings, the references and the citation, the Latin words are names.
    text a | tr '\f' ' ' | sed -E 's/(.*)Тексты ядер.*/\1/; s/(.*)Как ссылаться.*Состояние данных/\1/' >told
    [ "$(wc -w <told)" -gt 4500 ]
    cat >names.sql <<'SQL'
SELECT name FROM variants UNION SELECT name FROM known UNION SELECT name FROM problems UNION SELECT name FROM libraries
UNION SELECT name FROM experiments UNION SELECT source FROM experiments UNION SELECT value FROM machine
UNION SELECT config FROM libraries UNION SELECT setting FROM libraries UNION SELECT host FROM hosts
UNION SELECT profile FROM results UNION SELECT id FROM claims;
SQL
    "$TILELAB" query --data a/data/local --data a/data/gpu --published a/data/published --format lines names.sql |
        tr -c 'A-Za-z' '\n' >names
    # What the method defines, names of programs and models, and parts of formulas.
    printf '%s\n' prepare run make counters skipped failed wrong noisy throttled once \
        capped partial simulated unsteady wavefronts tilelab SYCL OpenMP \
        Roofline HPL Nsight Compute NVIDIA NVML NUMA libcuda block mnk mod min uin Cref xref quick record full nvcc \
        site notes \
        >>names
    awk 'NR == FNR { known[tolower($1)] = 1; next }
        {
            for (i = 1; i <= NF; i++) {
                count = split($i, word, /[^A-Za-z]+/)
                for (w = 1; w <= count; w++)
                    if (length(word[w]) > 2 && !(tolower(word[w]) in known)) print word[w]
            }
        }' names told | sort -u >english
    cat english
    [ ! -s english ]
}

@test "the layout of GOST has a title page, an abstract with counts, and appendices" {
    need_latex
    made a
    cat >author.yaml <<'YAML'
name: "Иванова А. Б. 100% _&#~^"
group: М8О-101
institution: Университет
year: 2026
title: Транспонирование матриц
task: Лабораторная работа 5
repository: https://example.org/~me/my_kernels
YAML
    AUTHOR=$PWD/author.yaml build a ru gost
    [[ $(text a) == *'Университет'*'ОТЧЁТ'*'Лабораторная работа 5'*'Транспонирование матриц'*'М8О-101'* ]]
    [[ $(text a) == *'Иванова А. Б. 100% _&#'*'https://example.org/~me/my_kernels'*2026* ]]
    [[ $(text a) == *'author = {Иванова А. Б. 100\% \_\&\#'*'title = {{Транспонирование матриц}},'* ]]
    [[ $(text a) == *'institution = {Университет},'*'url = {https://example.org/~me/my_kernels},'* ]]
    pages=$(pdfinfo a/build/report.pdf | sed -n 's/^Pages: *//p')
    text a | grep -qE "РЕФЕРАТ Отчёт $pages с., [1-9][0-9]* рис., [1-9][0-9]* табл., [1-9][0-9]* источн., [1-9] прил."
    [[ $(text a) == *СОДЕРЖАНИЕ*ВВЕДЕНИЕ*ЗАКЛЮЧЕНИЕ*'СПИСОК ИСПОЛЬЗОВАННЫХ ИСТОЧНИКОВ'*'ПРИЛОЖЕНИЕ А'* ]]
}

@test "a machine without data has a report in Russian" {
    need_latex
    tree a
    rm -r a/data/gpu a/data/local
    build a ru plain
    [[ $(text a) == *'Нет данных, решающих какой-либо вопрос.'* ]]
}

@test "a mistake in the file about the author is told with its line, and nothing is made" {
    need_latex
    tree a
    cd a
    mkdir built
    cat >author.yaml <<'YAML'
name: A. Student
supervizor: B. Lecturer
course: [a, b]
city: 'Town \input{x}'
YAML
    AUTHOR=author.yaml BUILD=built run -2 report/build.sh report
    [[ $output == "author.yaml:2:1: error: unknown key 'supervizor'"*'did you mean'*supervisor* ]]
    [[ $output == *"author.yaml:3:9: error: 'course' takes text, not a list"* ]]
    [[ $output == *"author.yaml:4:7: error: 'city' holds LaTeX"*'write plain text'* ]]
    [ ! -e build ] && [ -z "$(ls built)" ]
    # The program tells it before it measures.
    run -2 "$TILELAB" report --author author.yaml --data mine --output mine.pdf smoke
    [[ $output == "author.yaml:2:1: error: unknown key 'supervizor'"* ]]
    [ ! -e mine ] && [ ! -e mine.pdf ]
    AUTHOR=missing.yaml run -2 report/build.sh report
    [[ $output == *missing.yaml* ]]
    AUTHOR=built run -2 report/build.sh report
    [[ $output == *'the file about the author, built, cannot be read'* ]]
}

@test "the key of a figure has an entry for every curve, however long its title is" {
    local length letter i
    command -v gnuplot >/dev/null || skip 'gnuplot is missing'
    at_root
    for letter in k ж; do
        for length in 8 16 20 23 28 34 44; do
            {
                printf 'curves_count = 9\narray curves_title[9]\narray curves_style[9]\narray curves_dash[9]\n'
                for i in {1..9}; do
                    printf "curves_title[%d] = '%d%s'\n" "$i" "$i" "$(printf "%${length}s" '' | sed "s/ /$letter/g")"
                    printf 'curves_style[%d] = 10 + %d\ncurves_dash[%d] = 0\n' "$i" "$i" "$i"
                done
            } >"$BATS_TEST_TMPDIR/key.data"
            gnuplot -e "data = '$BATS_TEST_TMPDIR/key.data'; output = '$BATS_TEST_TMPDIR/key.svg'; key_lines = 1" \
                -e "cd '$root'; load 'figures/style.gp'; set multiplot; load 'figures/key.gp'; unset multiplot"
            for i in {1..9}; do
                grep -q "<text>.*$i$letter" "$BATS_TEST_TMPDIR/key.svg" || {
                    echo "entry $i of $length letters"
                    return 1
                }
            done
        done
    done
}
