/* The symbol table of a program or a shared object, which tells the functions that one source file gave.
 * SPDX-License-Identifier: MIT */
#include "assembly_symbols.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether bytes [from, from + length) lie in the file. */
static bool holds(const struct assembly_symbols *symbols, uint64_t from, uint64_t length)
{
    return from <= symbols->size && length <= symbols->size - from;
}

static bool find_table(struct assembly_symbols *symbols)
{
    const char *bytes = symbols->file;
    const ElfW(Ehdr) *head = symbols->file;
    if (!holds(symbols, 0, sizeof *head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        !holds(symbols, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr))))
        return false;
    const ElfW(Shdr) *section = (const void *)(bytes + head->e_shoff);
    for (size_t i = 0; i < head->e_shnum; i++) {
        if (section[i].sh_type != SHT_SYMTAB || section[i].sh_link >= head->e_shnum)
            continue;
        const ElfW(Shdr) *names = &section[section[i].sh_link];
        if (!holds(symbols, section[i].sh_offset, section[i].sh_size) ||
            !holds(symbols, names->sh_offset, names->sh_size) || names->sh_size == 0)
            return false;
        symbols->symbol = (const void *)(bytes + section[i].sh_offset);
        symbols->count = section[i].sh_size / sizeof *symbols->symbol;
        symbols->names = bytes + names->sh_offset;
        symbols->names_size = names->sh_size;
        return symbols->names[symbols->names_size - 1] == '\0';
    }
    return false;
}

bool assembly_symbols_open(struct assembly_symbols *symbols, const char *path)
{
    struct stat about;
    *symbols = (struct assembly_symbols){.count = 0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &about) == 0 && about.st_size > 0) {
        symbols->size = (size_t)about.st_size;
        symbols->file = mmap(NULL, symbols->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    if (!symbols->file || symbols->file == MAP_FAILED)
        return false;
    if (find_table(symbols))
        return true;
    assembly_symbols_close(symbols);
    return false;
}

void assembly_symbols_close(struct assembly_symbols *symbols)
{
    munmap(symbols->file, symbols->size);
}

const char *assembly_symbols_name(const struct assembly_symbols *symbols, size_t index)
{
    const size_t at = symbols->symbol[index].st_name;
    return at < symbols->names_size ? symbols->names + at : "";
}

static unsigned type_of(const struct assembly_symbols *symbols, size_t index)
{
    return symbols->symbol[index].st_info & 0xF;
}

bool assembly_symbols_is_function(const struct assembly_symbols *symbols, size_t index)
{
    return type_of(symbols, index) == STT_FUNC && symbols->symbol[index].st_shndx != SHN_UNDEF &&
           symbols->symbol[index].st_size > 0 && !strstr(assembly_symbols_name(symbols, index), ".cold");
}

ElfW(Addr) assembly_symbols_address(const struct assembly_symbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (assembly_symbols_is_function(symbols, i) && strcmp(assembly_symbols_name(symbols, i), name) == 0)
            return symbols->symbol[i].st_value;
    return 0;
}

bool assembly_symbols_group(const struct assembly_symbols *symbols, ElfW(Addr) address, size_t *first, size_t *end)
{
    uint64_t nearest = UINT64_MAX;
    size_t start = 0, chosen = SIZE_MAX;
    for (size_t i = 0; i < symbols->count; i++) {
        if (symbols->symbol[i].st_info >> 4 != STB_LOCAL)
            break; /* local symbols come first */
        if (type_of(symbols, i) == STT_FILE)
            start = i;
        if (start == 0 || !assembly_symbols_is_function(symbols, i))
            continue;
        const uint64_t at = symbols->symbol[i].st_value;
        const uint64_t distance = at > address ? at - address : address - at;
        if (distance < nearest) {
            nearest = distance;
            chosen = start;
        }
    }
    if (chosen == SIZE_MAX)
        return false;
    *first = *end = chosen + 1;
    while (*end < symbols->count && type_of(symbols, *end) != STT_FILE &&
           symbols->symbol[*end].st_info >> 4 == STB_LOCAL)
        (*end)++;
    return true;
}
