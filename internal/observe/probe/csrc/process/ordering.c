// Whether the program orders its threads by nothing but what order.c follows: as far as its calls of libraries tell.
// Atomic operations are no calls, and are not seen.
//
// Runs: once, at MPI_Init of a process in which several threads may call MPI.
//
// Never: says so of a program that uses a library which is not known, as a lock may be in there.
#define _GNU_SOURCE // for dl_iterate_phdr
#include "process/order.h"
#include "process/tables.h"
#include <string.h>

// Libraries of compilers, of the C library and of MPI, by which no program's threads are ordered unless it calls
// functions of the other lists itself.
static const char *const known[] = {"libmpi",       "libpmpi",      "libopen-", "libstdc++.",  "libc++.",
                                    "libc++abi.",   "libc.",        "libm.",    "libmvec.",    "libgcc_s.",
                                    "libgfortran.", "libquadmath.", "libgomp.", "libpthread.", "libdl.",
                                    "librt.",       "libatomic.",   "ld-linux", NULL};

// What the names of functions have that may order threads, or that get the program such functions, or wait in a loop.
static const char *const ordering[] = {
    "lock",           "mutex",     "sem_",       "cond_",       "condition", "cnd_",      "barrier",
    "once",           "wait",      "notify",     "latch",       "futex",     "future",    "kmpc",
    "syscall",        "yield",     "pipe",       "socket",      "eventfd",   "mq_",       "msgrcv",
    "sigwait",        "kill",      "dlopen",     "dlsym",       "tryjoin",   "timedjoin", "clockjoin",
    "swapcontext",    "GOMP_task", "GOMP_teams", "GOMP_target", "GOACC_",    "doacross",  "omp_fulfill",
    "parallel_start", NULL};

// How names begin of functions that are followed: MPI's in C, Fortran and C++, which are so themselves, and those of
// order_posix.c and order_openmp.c, with what makes and destroys their objects. Some of OpenMP order nothing.
static const char *const followed[] = {"MPI_",
                                       "PMPI_",
                                       "mpi_",
                                       "pmpi_",
                                       "ompi_",
                                       "_ZN3MPI",
                                       "_ZNK3MPI",
                                       "pthread_mutex",
                                       "pthread_cond",
                                       "pthread_rwlock",
                                       "pthread_spin_",
                                       "pthread_barrier",
                                       "pthread_once",
                                       "sem_",
                                       "mtx_",
                                       "cnd_",
                                       "call_once",
                                       "__once_proxy",
                                       "_ZSt11__once_",
                                       "_ZSt15__once_",
                                       "_ZNSt9once_flag",
                                       "_ZNSt18condition_variable",
                                       "omp_init_",
                                       "omp_destroy_",
                                       "omp_set_",
                                       "omp_unset_",
                                       "omp_test_",
                                       "omp_get_",
                                       "GOMP_barrier",
                                       "GOMP_loop_end_nowait",
                                       "GOMP_sections_end_nowait",
                                       NULL};

// The same of tasks (order_tasks.c), whole names: another one that begins so may do more.
static const char *const tasks[] = {"GOMP_task",
                                    "GOMP_taskloop",
                                    "GOMP_taskloop_ull",
                                    "GOMP_taskwait",
                                    "GOMP_taskwait_depend",
                                    "GOMP_taskgroup_start",
                                    "GOMP_taskgroup_end",
                                    "GOMP_taskgroup_reduction_register",
                                    "GOMP_taskgroup_reduction_unregister",
                                    "GOMP_task_reduction_remap",
                                    NULL};

static bool begins(const char *name, const char *const *with)
{
    for (; *with; with++)
        if (strncmp(name, *with, strlen(*with)) == 0)
            return true;
    return false;
}

static bool is_of_tasks(const char *name)
{
    for (size_t i = 0; tasks[i]; i++)
        if (strcmp(name, tasks[i]) == 0)
            return true;
    return false;
}

static bool orders(const char *name)
{
    if (begins(name, followed) || is_of_tasks(name))
        return false;
    for (size_t i = 0; ordering[i]; i++) {
        const char *at = strstr(name, ordering[i]);
        if (at && !(i == 0 && at > name && at[-1] == 'c')) // "clock"
            return true;
    }
    return false;
}

// The first function among these that may order threads, NULL if there is none.
static const char *any_orders(const struct uk_tables *t, const Elf64_Rela *from, size_t bytes)
{
    for (size_t i = 0; from && i < bytes / sizeof *from; i++) {
        const Elf64_Sym *s = &t->symbols[ELF64_R_SYM(from[i].r_info)];
        if (s->st_shndx == SHN_UNDEF && orders(t->names + s->st_name))
            return t->names + s->st_name;
    }
    return NULL;
}

static int look(struct dl_phdr_info *info, size_t size, void *by)
{
    (void)size;
    const char **const found = by;
    const struct uk_tables t = uk_tables_of(info);
    if (!t.symbols || !t.names)
        return 1;
    *found = NULL;
    for (const Elf64_Dyn *d = t.dynamic; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && !begins(t.names + d->d_un.d_val, known)) {
            *found = t.names + d->d_un.d_val;
            return 1;
        }
    *found = any_orders(&t, t.plt, t.in_plt);
    if (!*found)
        *found = any_orders(&t, t.data, t.in_data);
    return 1; // the program is the first; what else is loaded is of the libraries that it needs
}

const char *uk_order_by(void)
{
    const char *by = "?"; // of a program without a table of symbols
    dl_iterate_phdr(look, &by);
    return by;
}
