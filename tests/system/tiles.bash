# The tests of backends that drive any device share this. A file that loads it sets `backend`.
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154

# tiles [PRECISION]: a study of two variants of the backend, with a variant on the CPU beside them.
tiles() {
    study tiles matmul "${1:-f32}" <<<"grid: {n: 8, variant: [seq-ikj, $backend-global, $backend-tiled], tile: 4}"
}

# of VARIANT COLUMN[,COLUMN]...: these columns of the results of a variant.
of() {
    column "variant,$2" data/tiles.results.csv | sed -n "s|^matmul/$1 ||p"
}

# skips REASON: the study runs, its cells of the device are skipped for a reason, and the cell on the CPU is measured.
skips() {
    rm -rf data
    mkdir data
    measure -0 tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ $(of "$backend-tiled" status,reason) == skipped*"$1"* ]] || { of "$backend-tiled" status,reason; return 1; }
}
