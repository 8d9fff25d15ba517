// The tables of a loaded object, as its dynamic section names them.
//
// Runs: where dl_iterate_phdr calls back.
//
// Never: allocates or locks.
#ifndef UK_TABLES_H
#define UK_TABLES_H

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct uk_tables {
    const Elf64_Dyn *dynamic;
    const Elf64_Sym *symbols;
    const char *names;
    const uint32_t *hash;     // the section .gnu.hash
    const uint16_t *versions; // of the symbols
    const Elf64_Rela *plt, *data;
    size_t in_plt, in_data; // bytes of these two
};

static inline struct uk_tables uk_tables_of(const struct dl_phdr_info *info)
{
    struct uk_tables t = {0};
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            t.dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (const Elf64_Dyn *d = t.dynamic; d && d->d_tag != DT_NULL; d++) {
        uintptr_t at = d->d_un.d_ptr;
        if (at < info->dlpi_addr) // some C libraries leave these as they are in the file
            at += info->dlpi_addr;
        switch (d->d_tag) {
        case DT_SYMTAB:
            t.symbols = (const void *)at;
            break;
        case DT_STRTAB:
            t.names = (const void *)at;
            break;
        case DT_GNU_HASH:
            t.hash = (const void *)at;
            break;
        case DT_VERSYM:
            t.versions = (const void *)at;
            break;
        case DT_JMPREL:
            t.plt = (const void *)at;
            break;
        case DT_RELA:
            t.data = (const void *)at;
            break;
        case DT_PLTRELSZ:
            t.in_plt = d->d_un.d_val;
            break;
        case DT_RELASZ:
            t.in_data = d->d_un.d_val;
            break;
        default:
            break;
        }
    }
    return t;
}

#endif
