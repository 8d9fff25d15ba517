// Finds what stands behind a function of the probe without the dynamic linker's help, which may be at work itself: UCX
// asks it for functions before the probe's own initialisation, and from inside of that takes locks.
//
// Runs: at the first call of a function that the probe stands in for.
//
// Never: allocates, or changes what dlerror says.
#define _GNU_SOURCE // for dl_iterate_phdr
#include "process/order.h"
#include "process/tables.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct search {
    const char *name;
    uint32_t hash;
    bool past; // the probe itself
    void *found;
};

static uint32_t hash_of(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h;
}

// The function of an object that is linked to by default, as of the section .gnu.hash.
static const Elf64_Sym *lookup(const struct uk_tables *t, const struct search *s)
{
    enum { HIDDEN = 0x8000 };
    const uint32_t buckets = t->hash[0], first = t->hash[1], words = t->hash[2];
    const uint32_t *bucket = t->hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    uint32_t i = buckets > 0 ? bucket[s->hash % buckets] : 0;
    if (i < first)
        return NULL;
    for (;; i++) {
        const uint32_t h = bucket[buckets + i - first];
        const Elf64_Sym *symbol = &t->symbols[i];
        if ((h | 1) == (s->hash | 1) && symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
            !(t->versions && t->versions[i] & HIDDEN) && strcmp(t->names + symbol->st_name, s->name) == 0)
            return symbol;
        if (h & 1)
            return NULL;
    }
}

static int look(struct dl_phdr_info *info, size_t size, void *of)
{
    (void)size;
    struct search *s = of;
    const struct uk_tables t = uk_tables_of(info);
    if (!s->past || !t.symbols || !t.names || !t.hash) {
        for (unsigned i = 0; i < info->dlpi_phnum; i++) {
            const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, here = (uintptr_t)look;
            if (info->dlpi_phdr[i].p_type == PT_LOAD && here >= from && here - from < info->dlpi_phdr[i].p_memsz)
                s->past = true;
        }
        return 0;
    }
    const Elf64_Sym *symbol = lookup(&t, s);
    if (symbol)
        s->found = (void *)(info->dlpi_addr + symbol->st_value);
    return symbol != NULL;
}

void *uk_behind_slow(void **kept, const char *name)
{
    const int keep = errno;
    struct search s = {.name = name, .hash = hash_of(name)};
    dl_iterate_phdr(look, &s);
    if (!s.found) // a library without such a table
        s.found = dlsym(RTLD_NEXT, name);
    __atomic_store_n(kept, s.found, __ATOMIC_RELAXED);
    errno = keep;
    return s.found;
}
