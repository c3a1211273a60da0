# The tests of an installed program share this: the program is installed once a file, where nobody writes.
# SPDX-License-Identifier: MIT

setup_file() {
    export PREFIX="$BATS_FILE_TMPDIR/лаба № 5/opt" XDG_CACHE_HOME="$BATS_FILE_TMPDIR/cache"
    env -u MAKEFLAGS "${MAKE:-make}" -C "$BATS_TEST_DIRNAME/../.." install BUILD="${BUILD:-build}" \
        NVCC="${NVCC:-}" DESTDIR= PREFIX="$PREFIX" >"$BATS_FILE_TMPDIR/log" 2>&1 ||
        { cat "$BATS_FILE_TMPDIR/log"; return 1; }
    chmod -R a-w "$PREFIX"
}
# Root writes and reads where nobody may, unless it gives up this right.
as_user() {
    if [ "$EUID" = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi
}
teardown_file() { chmod -R u+w "$PREFIX"; }
