# The tests of an installed program share this. tests/run has installed the program in INSTALLED; else a file of tests
# installs it once.
# SPDX-License-Identifier: MIT

setup_file() {
    export PREFIX=${INSTALLED:-"$BATS_FILE_TMPDIR/лаба № 5/opt"} XDG_CACHE_HOME="$BATS_FILE_TMPDIR/cache"
    [ -n "${INSTALLED:-}" ] || "$BATS_TEST_DIRNAME/../install" "$PREFIX" >"$BATS_FILE_TMPDIR/log" 2>&1 ||
        { cat "$BATS_FILE_TMPDIR/log"; return 1; }
}
# Root writes and reads where nobody may, unless it gives up this right.
as_user() {
    if [ "$EUID" = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi
}
teardown_file() { [ -n "${INSTALLED:-}" ] || chmod -R u+w "$PREFIX"; }
