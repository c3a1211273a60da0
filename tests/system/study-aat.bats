# Checks what the report says of bank conflicts, from invented rows: the model alone, and counters that agree, differ or
# are stale.
# SPDX-License-Identifier: MIT

# Text between single quotes is LaTeX.
# shellcheck disable=SC2016

load common

# row CELL VARIANT TILE PADDING
row() {
    echo "lab5-aat,$1,aat,aat/$2,cuda,f32,1024,1024,$3,$4,ok,0.001,2147483648,2147.483648,0123"
}

# count CELL VARIANT TILE PADDING HASH STATUS REASON STORES WAVEFRONTS: a row whose loads and sectors are the model's.
count() {
    echo "lab5-aat,$1,aat/$2,f32,1024,1024,$3,$4,$5,$6,$7,41943040,50331648,$8,$9,4194304,16777216,32768,131072,\
1073741824,0,0"
}

invent() {
    {
        echo experiment,cell,problem,variant,backend,precision,n,k,tile,padding,status,median_s,flops,gflops,source_hash
        row 01 cuda-b 32 ''
        row 02 cuda-b-pad 32 1
        row 03 cuda-b-pad 16 1
        row 04 cuda-b-pad 16 2
    } >data/lab5-aat.results.csv
    echo '{"experiment": {"name": "lab5-aat", "source": "lab5", "tables": ["conflicts"]}}' >data/lab5-aat.run.json
}

counters() {
    {
        printf 'experiment,cell,variant,precision,n,k,tile,padding,source_hash,status,reason,'
        printf 'shared_load_instructions,shared_load_wavefronts,shared_store_instructions,shared_store_wavefronts,'
        echo global_load_requests,global_load_sectors,global_store_requests,global_store_sectors,ffma,fadd,fmul
        cat
    } >data/lab5-aat.counters.csv
}

# table NAME [HOST]: prints the rows of the table, with blanks for tabs.
table() {
    mkdir -p other
    (cd "$root" && "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --data "$BATS_TEST_TMPDIR/other" \
        --published data/published --set host="${2:-data}" --set experiment=lab5-aat --set studies= --set hosts=all \
        --format lines figures/study.sql "report/tables/$1.sql") | tr '\t' ' '
}

@test "without counters the model fills the table, and the cause is named" {
    invent
    run -0 table conflicts
    [[ $output == *'cuda-b, tile 32 model 32,505,856 2,097,152 34,603,008 16.5'* ]]
    [[ $output != *counters* ]]
    run -0 said no-counters
    [[ $output == *'cause=never'* ]]
    grep -q 'when{cause}{never}.*not run' <(tr -d '\n' <"$root/report/notes/no-counters.sql")
    grep -q 'as root' "$root/report/notes/no-counters.sql"
    grep -q NVreg "$root/report/notes/no-counters.sql"
}

@test "counters that were refused are told by their reason" {
    invent
    count 01 cuda-b 32 '' 0123 skipped 'the driver said no' '' '' | counters
    run -0 said no-counters
    [[ $output == *'cause=refused reason=the driver said no'* ]]
}

@test "counters are compared to the last digit" {
    invent
    counters < <(count 01 cuda-b 32 '' 0123 ok '' 2097152 34603008; count 02 cuda-b-pad 32 1 0123 ok '' 2097152 2097153)
    run -0 table conflicts
    [[ $output == *'counters 32,505,856 2,097,152 34,603,008 16.5 41,943,040 50,331,648 '*' equal '* ]]
    [[ $output == *'counters 1 2,097,152 2,097,153 '*' differ '* ]]
    run -0 said no-counters
    [ -z "$output" ]
    run -0 said old-counters
    [ -z "$output" ]
    run -0 table lab5-metrics
    [[ $output == *'cuda-b, tile 32 1024 2,147,483,648 2,147,483,648 1.000'* ]]
}

@test "the model of a cell is told once, with the counters if a host has them" {
    invent
    cp -r data other
    row 05 cuda-b 32 '' | sed 's/,1024,1024,/,512,512,/' >>data/lab5-aat.results.csv
    count 01 cuda-b 32 '' 0123 ok '' 2097152 34603008 | counters
    mv data more && mv other data && mv more other
    run -0 table conflicts
    [ -z "$output" ]
    run -0 table conflicts other
    [[ $output == *'tile 32 model 32,505,856 '*'tile 32 counters 32,505,856 '* ]]
    rm other/*.counters.csv
    run -0 table conflicts
    [[ $output == *'tile 32 model 32,505,856 '* ]]
    run -0 table conflicts other
    [ -z "$output" ]
    # A host that has measured no cell of a GPU gives way to one that has.
    sed -i 's/,ok,0.001,/,skipped,,/' data/lab5-aat.results.csv
    run -0 table conflicts
    [ -z "$output" ]
    run -0 table conflicts other
    [[ $output == *'tile 32 model 32,505,856 '* ]]
}

@test "counts of another version of a kernel are left out, and that is said" {
    invent
    counters < <(count 01 cuda-b 32 '' 0123 ok '' 2097152 34603008; count 02 cuda-b-pad 32 1 4567 ok '' 2097152 7)
    run -0 table conflicts
    [[ $output == *' equal '* && $output != *' 7 '* ]]
    run -0 said old-counters
    [[ $output == *'cells=1 '* ]]
    run -0 said no-counters
    [ -z "$output" ]
    counters < <(count 01 cuda-b 32 '' 4567 ok '' 2097152 34603008)
    run -0 said no-counters
    [[ $output == *'cause=stale'* ]]
}

@test "the source's claims are judged by the model" {
    invent
    run -0 table claims
    [[ $output == *'lab5-3 '*' 2 of 2 parts '*'by model'* ]]
    [[ $output == *'lab5-4 '*' 2 of 2 parts '*'by model'* ]]
}
