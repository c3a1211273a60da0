#!/usr/bin/env bats
# A kernel brings nothing into the program but its description: no other name, no constructor.
# SPDX-License-Identifier: MIT
load common

symbols() { run "$root/tools/kernel-symbols" "$@"; }

# made KERNEL [FLAG]...: compiles standard input, after the description of matmul/KERNEL, to matmul/KERNEL.o.
made() {
    local kernel=$1
    shift
    mkdir -p matmul
    {
        echo "struct variant { int (*run)(void); }; static int run(void) { return 0; }
            extern const struct variant matmul_${kernel}_f64_O3_v3;
            const struct variant matmul_${kernel}_f64_O3_v3 = {run};"
        cat
    } | cc -x c -O1 "$@" -c -o "matmul/$kernel.o" -
}

@test "a kernel with nothing but its description and static names may be built in" {
    made plain <<<'static int count; __attribute__((used)) static int more(void) { return ++count; }'
    made calls <<<'int puts(const char *); __attribute__((used)) static int more(void) { return puts("more"); }'
    symbols matmul/plain.o matmul/calls.o
    [ "$status" -eq 0 ] && [ -z "$output" ] || { echo "$output"; return 1; }
}

@test "a kernel that replaces a function of the C library is refused, and the line names both" {
    made clock <<<'int clock_gettime(int clock, void *time) { (void)clock, (void)time; return 0; }'
    made weak <<<'__attribute__((weak)) int clock_gettime(int c, void *t) { (void)c, (void)t; return 0; }'
    made hidden <<<'__attribute__((visibility("hidden"))) void *memcpy(void *to) { return to; }'
    made hook <<<'void *(*__malloc_hook)(long);'
    made common -fcommon <<<'int stdout;'
    made alias <<<'static int own(void) { return 0; } int getpid(void) __attribute__((alias("own")));'
    made number <<<'__asm__(".globl timer_now_s\ntimer_now_s = 4096");'
    local kernel name
    while read -r kernel name; do
        symbols "matmul/$kernel.o"
        [ "$status" -eq 1 ] || { echo "$kernel: $status"; return 1; }
        [ "$output" = "matmul/$kernel.o: defines '$name' for the whole program: a kernel exports matmul_$kernel \
alone, so declare everything else \`static\`" ]
    done <<'NAMES'
clock clock_gettime
weak clock_gettime
hidden memcpy
hook __malloc_hook
common stdout
alias getpid
number timer_now_s
NAMES
    symbols matmul/*.o
    [ "${#lines[@]}" -eq 7 ]
}

@test "a kernel that would run in every subcommand is refused, and the line says where its work belongs" {
    made constructor <<<'__attribute__((constructor)) static void begin(void) { __asm__ volatile(""); }'
    made early <<<'__attribute__((constructor(101))) static void begin(void) { __asm__ volatile(""); }'
    made destructor <<<'__attribute__((destructor)) static void end(void) { __asm__ volatile(""); }'
    made preinit <<<'static void begin(void) {}
        __attribute__((section(".preinit_array"), used)) static void *at = begin;'
    made ctors <<<'static void begin(void) {}
        __attribute__((section(".ctors"), used)) static void *at = begin;'
    made init <<<'__asm__(".section .init,\"ax\",@progbits\nnop\n.text");'
    made indirect <<<'static int own(void) { return 0; } static void *choose(void) { return own; }
        __attribute__((ifunc("choose"))) static int chosen(void);
        __attribute__((used)) static int call(void) { return chosen(); }'
    local kernel
    for kernel in constructor early destructor preinit ctors init; do
        symbols "matmul/$kernel.o"
        [ "$status" -eq 1 ] || { echo "$kernel: $status"; return 1; }
        [[ $output == "matmul/$kernel.o: has a constructor or a destructor (."*"use \`prepare\`"* ]]
    done
    symbols matmul/indirect.o
    [ "$status" -eq 1 ]
    [[ $output == *"'chosen' is an indirect function"* ]]
}

@test "a kernel under the name of another one is refused" {
    made own <<<''
    mv matmul/own.o matmul/other.o
    symbols matmul/other.o
    [ "$status" -eq 1 ]
    [[ $output == *"defines 'matmul_own_f64_O3_v3'"*"exports matmul_other alone"* ]]
}

@test "code of a device: entry points, names of C++ and one constructor, by which the compiler registers it" {
    command -v c++ >/dev/null || skip 'no C++ compiler'
    mkdir -p matmul
    local registers='__attribute__((constructor)) static void registers() { __asm__ volatile(""); }'
    device() { c++ -x c++ -O1 -c -o "matmul/$1.cuda.o" -; }
    device good <<<"$registers"'
        template <class T> __attribute__((noinline)) T twice(T x) { return x + x; } int stub(int x) { return twice(x); }
        extern "C" int matmul_good_launch() { return stub(1); }'
    device two <<<"$registers"'
        __attribute__((constructor)) static void also() { __asm__ volatile(""); }
        extern "C" int matmul_two_launch() { return 0; }'
    device c <<<'extern "C" int clock_gettime(int, void *) { return 0; }'
    device heap <<<'void *operator new(decltype(sizeof 0) size) { return __builtin_alloca(size); }'
    symbols matmul/good.cuda.o
    [ "$status" -eq 0 ]
    symbols matmul/two.cuda.o
    [[ $status -eq 1 && $output == *'has a constructor'* ]]
    symbols matmul/c.cuda.o
    [[ $status -eq 1 && $output == *"defines 'clock_gettime'"* ]]
    symbols matmul/heap.cuda.o
    [[ $status -eq 1 && $output == *"defines '_Znwm'"* ]]
}

@test "the build fails with the line, before the program is linked" {
    local from="$root/${BUILD:-build}"
    mkdir build
    cp -a "$from/obj" "$from/gen" "$from/config.mk" build
    made seq_ijk <<<'int clock_gettime(int clock, void *time) { (void)clock, (void)time; return 0; }'
    cp matmul/seq_ijk.o build/obj/kernels/matmul/seq_ijk.o
    run env -u MAKEFLAGS "${MAKE:-make}" -C "$root" BUILD="$PWD/build" NVCC= "$PWD/build/tilelab"
    [ "$status" -ne 0 ]
    [[ $output == *"/matmul/seq_ijk.o: defines 'clock_gettime' for the whole"* ]]
    [ ! -e build/tilelab ]
}
