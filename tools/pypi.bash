# What the scripts share that install libraries from PyPI.
# SPDX-License-Identifier: MIT

# download FOLDER WHAT PACKAGE...: downloads packages into a folder $scratch below FOLDER, which goes when the script
# ends. Sets "${pip[@]}" and its "${options[@]}". WHAT names the cells that need the packages.
download() {
    local folder=$1 what=$2 name=${0##*/} candidate
    shift 2
    pip=()
    for candidate in 'pip3' 'python3 -m pip' 'pip'; do
        # shellcheck disable=SC2206
        if $candidate --version >/dev/null 2>&1; then
            pip=($candidate)
            break
        fi
    done
    if [ ${#pip[@]} -eq 0 ]; then
        echo "$name: no pip found; install it with: apt-get install -y python3-pip" >&2
        exit 1
    fi
    printf '%-8s %s\n' SETUP "$* in $folder"
    mkdir -p "$folder"
    scratch=$(mktemp -d "$folder/download.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    options=(--no-input --disable-pip-version-check --no-deps --progress-bar off)
    # pip says how much it downloads.
    if ! "${pip[@]}" download "${options[@]}" --dest "$scratch" "$@" | {
        grep -E '^ *(Downloading|Using cached)' || :
    }; then
        echo "$name: pip could not download $*; the cells of $what stay skipped" >&2
        echo "$name: is there a network, and a wheel for this machine?" >&2
        exit 1
    fi
}
