#!/bin/bash
# Looks at a page of each kind of the site with a browser, in each language, on a wide and a narrow screen, light and
# dark: axe-core finds no serious fault in it, and nothing is wider than the screen. It needs Chromium. Playwright and
# axe-core come from PyPI into a virtual environment below build/, once. `make check-site` runs it.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} TILELAB=${TILELAB:-build/tilelab}
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo 'check-site: Chromium is missing; Debian has the package chromium' >&2; exit 1; }
package=axe-playwright-python
folder=$BUILD/validators/$package
if ! "$folder/bin/python" -c 'import axe_playwright_python' 2>/dev/null; then
    python3 -m venv --clear "$folder"
    "$folder/bin/pip" install -q "$package"
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-site.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
for language in report/text/*; do
    language=${language##*/}
    TILELAB=$TILELAB BUILD=$scratch/$language DATA=$scratch/none HOSTS=h200 EXPS='lab5-matmul lab5-aat' \
        REPORT_LANGUAGE=$language site/build.sh >"$scratch/log"
done
"$folder/bin/python" tests/site-axe "$chromium" "$scratch"/*/site
