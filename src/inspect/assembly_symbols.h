/* The symbol table of a program or a shared object, which tells the functions that one source file gave.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_ASSEMBLY_SYMBOLS_H
#define TILELAB_INSPECT_ASSEMBLY_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

struct assembly_symbols {
    void *file; /* the mapped file */
    size_t size;
    const ElfW(Sym) * symbol;
    size_t count;
    const char *names;
    size_t names_size;
};

/* Maps the file at `path` and finds its symbol table. False if it has none, or cannot be read; nothing is to be closed
 * then. */
bool assembly_symbols_open(struct assembly_symbols *symbols, const char *path);
void assembly_symbols_close(struct assembly_symbols *symbols);

/* The name of a symbol. */
const char *assembly_symbols_name(const struct assembly_symbols *symbols, size_t index);

/* The address of a function, or 0. */
ElfW(Addr) assembly_symbols_address(const struct assembly_symbols *symbols, const char *name);

/* Whether a symbol is a function that a file itself holds, and no part of a function that the compiler moved away. */
bool assembly_symbols_is_function(const struct assembly_symbols *symbols, size_t index);

/* The compiler lists the local functions of each source file behind the name of the file. This gives the symbols
 * [*first, *end) of the file whose functions lie nearest to an address. False if there is no such file. */
bool assembly_symbols_group(const struct assembly_symbols *symbols, ElfW(Addr) address, size_t *first, size_t *end);

#endif
