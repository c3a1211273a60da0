#!/usr/bin/env bats
# What `make setup` does where packages, root or apt are missing. No test installs anything.
# SPDX-License-Identifier: MIT
load common

# lacking PROGRAM...: makes ./bin, a PATH with all programs of the system but these.
lacking() {
    mkdir bin
    ln -s /usr/bin/* /bin/* bin/ 2>/dev/null || true
    local program
    for program in sudo dnf pacman brew "$@"; do rm -f "bin/$program"; done
}

@test "one package that apt lacks does not cost the others" {
    lacking gnuplot latexmk
    echo 'echo "$*" >>calls; case "$*" in *install*latexmk*) exit 100 ;; esac' | program bin/apt-get
    sed -i "s|>>calls|>>'$PWD/calls'|" bin/apt-get
    echo 'echo 0' | program bin/id
    PATH=$PWD/bin run -0 "$root/tools/setup" report
    grep -q 'install -y --no-install-recommends gnuplot-nox latexmk' calls
    grep -q 'install -y --no-install-recommends gnuplot-nox$' calls
    [[ $output == *'apt cannot install latexmk'* && $output != *'cannot install gnuplot'* ]]
    [[ $output == *'could not install every package; going on without:'*latexmk*'no PDF'* ]]
}

@test "a package that apt does not know is not asked for, and what its lack costs is told" {
    lacking oclgrind
    : >calls
    echo 'echo "$*" >>calls' | program bin/apt-get
    sed -i "s|>>calls|>>'$PWD/calls'|" bin/apt-get
    echo '[ "$*" = "policy oclgrind" ] || echo "  Candidate: 1"' | program bin/apt-cache
    echo 'echo 0' | program bin/id
    PATH=$PWD/bin run -0 "$root/tools/setup" test
    run -1 grep oclgrind calls
    PATH=$PWD/bin run -0 "$root/tools/setup" --list test
    [[ $output == *'missing  (no package known) '*'checked for data races'* ]]
}

@test "a first report gets OpenCL and its device on the CPU" {
    lacking apt-get
    echo 'exit 1' | program bin/ldconfig
    PATH=$PWD/bin run -0 "$root/tools/setup" --list report
    [[ $output == *ocl-icd-libopencl1*pocl-opencl-icd* ]]
    PATH=$PWD/bin run -0 "$root/tools/setup" --list build
    [[ $output != *opencl* ]]
}

@test "the compiler of C++ is asked for beside nvcc alone" {
    lacking apt-get c++ nvcc
    CUDA_HOME=$PWD PATH=$PWD/bin run -0 "$root/tools/setup" --list report
    [[ $output != *'CUDA variants'* ]]
    program bin/nvcc </dev/null
    CUDA_HOME=$PWD PATH=$PWD/bin run -0 "$root/tools/setup" --list report
    [[ $output == *g++*'CUDA variants cannot be built'* ]]
}

@test "without root, setup lists what is missing and the ways that are left" {
    lacking gnuplot latexmk
    echo 'echo 1000' | program bin/id
    PATH=$PWD/bin run -0 "$root/tools/setup" report
    [[ $output == *'installing needs root'*gnuplot-nox*'apt-get install -y '* ]]
    [[ $output == *'make image'*'make install'*'tools/unpack'* ]]
}

@test "other systems get the names of their packages" {
    lacking gnuplot latexmk apt-get
    program bin/dnf </dev/null
    PATH=$PWD/bin run -0 "$root/tools/setup" report
    [[ $output == *'no apt'*'sudo dnf install -y gnuplot latexmk'* ]]
    mv bin/dnf bin/pacman
    PATH=$PWD/bin run -0 "$root/tools/setup" report
    [[ $output == *'sudo pacman -S --needed gnuplot '*texlive-binextra* ]]
    mv bin/pacman bin/brew
    echo 'echo Darwin' | program bin/uname
    PATH=$PWD/bin run -0 "$root/tools/setup" report
    [[ $output == *'brew install gnuplot texlive'*'measures on Linux'*'make image'* ]]
    # The program names them too.
    PATH=$PWD/bin run -0 "$root/tools/missing" --header
    [[ $output == *'#define PACKAGE_INSTALL "brew install "'*'PACKAGE_latexmk "texlive"'* ]]
}

@test "every package has a name elsewhere, or a dash, and the tables hold no other package" {
    "$root/tools/missing" --header | sed -n 's/^#define PACKAGE_.* "\(.*\)"$/\1/p' | sort -u >debian
    sed -n '/^elsewhere/,/^TABLE/p' "$root/tools/missing" | awk 'NF == 4 && $1 != "debian" { print $1 }' >elsewhere
    [ -z "$(sort elsewhere | uniq -d)" ]
    run -1 grep -vxFf debian elsewhere
    [ "$(sed -n '/^elsewhere/,/^TABLE/p' "$root/tools/missing" | awk '!/cat|^TABLE|^elsewhere/ && NF != 4')" = '' ]
}

@test "packages are unpacked into a folder without root" {
    lacking make
    # A package with one library, and an apt that gives it.
    mkdir -p package/DEBIAN package/usr/lib/x86_64-linux-gnu package/usr/bin
    printf 'Package: made-up\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: a test\n' \
        >package/DEBIAN/control
    echo 'GROUP ( /lib/libc.so.6 /usr/lib/x86_64-linux-gnu/libc_nonshared.a )' \
        >package/usr/lib/x86_64-linux-gnu/libc.so
    program package/usr/bin/made-up <<<'echo made up'
    dpkg-deb --build package made-up.deb >/dev/null || skip "dpkg-deb cannot make a package"
    echo "case \"\$*\" in
        *-s*install*make) echo 'Inst made-up (1 Debian)' ;;
        *--print-uris*) echo \"'http://apt/made-up.deb' made-up_1_all.deb 1234567 SHA256:0\" ;;
        *download*made-up) cp '$PWD/made-up.deb' . ;;
        esac" | program bin/apt-get
    PATH=$PWD/bin run -2 "$root/tools/unpack" 'my packages'
    [[ $output == *'without blanks'* ]]
    PATH=$PWD/bin run -0 "$root/tools/unpack" packages
    [[ $output == *'1 package, 1.2 MB to download'* ]]
    grep -q " $PWD/packages/usr/lib/x86_64-linux-gnu/libc_nonshared" packages/usr/lib/x86_64-linux-gnu/libc.so
    # shellcheck disable=SC1091 # the tool has just written it
    [ "$(. packages/environment && made-up)" = 'made up' ]
}

@test "setup-mkl says how much it takes, before it takes it" {
    lacking
    mkdir wheel
    head -c 3000000 /dev/zero >wheel/library
    (cd wheel && python3 -m zipfile -c ../mkl.whl library) || skip "python3 is missing"
    echo "case \$1 in
        download) echo '  Downloading mkl.whl (3 MB)'; cp '$PWD/mkl.whl' \"\${@: -2:1}\" ;;
        install) echo 'taken' ;;
        esac" | program bin/pip3
    PATH=$PWD/bin run -0 "$root/tools/setup-mkl" mkl
    [[ $output == *'Downloading mkl.whl (3 MB)'*'mkl takes 3.0MB of the '*' free'*taken* ]]
    [ -z "$(ls mkl)" ]
    printf 'echo Avail\necho 1000\n' | program bin/df
    PATH=$PWD/bin run -1 "$root/tools/setup-mkl" mkl
    [[ $output == *'too little space'* && $output != *taken* ]]
}
