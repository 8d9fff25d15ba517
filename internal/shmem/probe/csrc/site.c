/* Places in the program: each has a number that is the same on all PEs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sh.h"

enum { KNOWN = 1 << 12, MODULES = 256 };

static struct uks_job *job;
static char maps[4200];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known {
    const char *name;
    const void *caller;
    unsigned site;
} known[KNOWN];
static void *modules[MODULES]; /* that are in the copy of the memory map */
static int module_count;

/* Copies what the kernel says of this process's memory, as the process may have ended when somebody asks. */
static void copy_maps(void)
{
    char buffer[4096];
    int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC),
        to = open(maps, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    for (ssize_t n; from >= 0 && to >= 0 && (n = read(from, buffer, sizeof buffer)) > 0;)
        if (write(to, buffer, (size_t)n) != n)
            break;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

void sh_sites(struct uks_job *of, const char *session)
{
    job = of;
    snprintf(maps, sizeof maps, "%s/%s%d", session, UKS_MAPS, (int)getpid());
    copy_maps();
}

/* A module that has come since the memory map was copied has it copied again. */
static void note_module(void *base)
{
    for (int i = 0; i < module_count; i++)
        if (modules[i] == base)
            return;
    if (module_count < MODULES)
        modules[module_count++] = base;
    copy_maps();
}

static unsigned find(const char *name, const void *caller)
{
    Dl_info in = {0};
    uint64_t key = sh_hash64(SH_HASH64, name);
    if (dladdr(caller, &in) && in.dli_fname) {
        key = sh_hash64(key, sh_base(in.dli_fname));
        key ^= ((uint64_t)caller - (uint64_t)in.dli_fbase) * UINT64_C(0x9e3779b97f4a7c15);
        note_module(in.dli_fbase);
    } else {
        key ^= (uint64_t)caller * UINT64_C(0x9e3779b97f4a7c15);
    }
    key |= 1;
    for (unsigned i = 0; i < UKS_MOST_SITES; i++) {
        unsigned n = (unsigned)((key + i) % UKS_MOST_SITES);
        struct uks_site *s = &job->sites[n];
        uint64_t old = 0;
        if (atomic_compare_exchange_strong(&s->key, &old, key)) {
            s->pc = (uint64_t)caller;
            s->pid = (uint64_t)getpid();
            strncpy(s->name, name, sizeof s->name - 1);
            atomic_store(&s->done, 1);
            return n + 1;
        }
        if (old == key)
            return n + 1;
    }
    return 0;
}

unsigned sh_site(const char *name, const void *caller)
{
    struct known *k = &known[((uintptr_t)caller * UINT64_C(0x9e3779b97f4a7c15) >> 40) % KNOWN];
    pthread_mutex_lock(&lock);
    if (k->name != name || k->caller != caller)
        *k = (struct known){name, caller, find(name, caller)};
    unsigned site = k->site;
    pthread_mutex_unlock(&lock);
    return site;
}
