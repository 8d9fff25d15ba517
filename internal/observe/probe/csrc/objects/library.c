// Which MPI library this process uses, and whether it is one that the probe was made for.
//
// Runs: wherever a function of MPI is needed for the first time, so before MPI is initialised too, in the constructors
// of other libraries and, to see whether the probe fits, before the program begins. Not in signal handlers: dlsym
// locks.
//
// Never: loads a library (RTLD_NOLOAD), which would bring MPI into processes that have none; calls a function of MPI
// but those that tell versions, which are allowed at any time, and these only once the library has been initialised
// (loaded). It takes no lock of its own and allocates nothing.
#define _GNU_SOURCE
#include "objects/objects.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>

// The libraries of this process that may be MPI's, in the order in which they were loaded.
struct candidates {
    char path[8][1024];
    size_t n;
};

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

static int consider(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct candidates *c = arg;
    (void)size;
    const char *name = info->dlpi_name ? base(info->dlpi_name) : "";
    if (c->n < sizeof c->path / sizeof *c->path && (begins(name, "libmpi") || begins(name, "libpmpi")) &&
        strlen(info->dlpi_name) < sizeof *c->path)
        strcpy(c->path[c->n++], info->dlpi_name);
    return 0;
}

static void *init_of(void *scope)
{
    void *f = dlsym(scope, "PMPI_Init");
    return f ? f : dlsym(scope, "MPI_Init");
}

// The function that initialises MPI in this process. The library may have been loaded with RTLD_LOCAL (by a Python
// extension), where RTLD_NEXT does not look; and it may not be there at all yet.
static void *initialiser(void)
{
    void *f = init_of(RTLD_NEXT);
    if (f)
        return f;
    struct candidates c = {.n = 0};
    dl_iterate_phdr(consider, &c);
    for (size_t i = 0; i < c.n && !f; i++) {
        void *h = dlopen(c.path[i], RTLD_NOLOAD | RTLD_LAZY);
        if (!h)
            continue;
        f = init_of(h);
        dlclose(h);
    }
    return f;
}

void *uk_library(void)
{
    static void *handle;
    Dl_info info;
    void *h = __atomic_load_n(&handle, __ATOMIC_ACQUIRE);
    if (h)
        return h;
    void *f = initialiser();
    if (f && dladdr(f, &info) && info.dli_fname) {
        h = dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
        __atomic_store_n(&handle, h, __ATOMIC_RELEASE);
    }
    return h;
}

void *uk_sym(const char *name)
{
    // An object that the executable has a copy of (R_*_COPY) is the executable's, so the global scope comes first; but
    // a function's profiling name may be the probe's there.
    bool function = strncmp(name, "PMPI_", 5) == 0;
    void *h = function ? uk_library() : NULL;
    void *f = h ? dlsym(h, name) : NULL;
    if (!f)
        f = dlsym(function ? RTLD_NEXT : RTLD_DEFAULT, name);
    if (!f && (h = uk_library()) != NULL)
        f = dlsym(h, function ? name + 1 : name); // some libraries have their profiling names in another one
    return f;
}

// The name that a library has for the linker, that of its file if it has none.
static const char *soname(const struct link_map *map)
{
    uintptr_t strings = 0, at = 0;
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB)
            strings = d->d_un.d_ptr;
        else if (d->d_tag == DT_SONAME)
            at = d->d_un.d_val;
    }
    if (strings == 0 || at == 0)
        return base(map->l_name);
    if (strings < map->l_addr) // not all dynamic linkers relocate it
        strings += map->l_addr;
    return (const char *)strings + at;
}

// The ABI that MPICH, Intel MPI, MVAPICH and others have in common; Debian's MPICH has another name for it.
static bool common_abi(const char *name)
{
    return strcmp(name, "libmpi.so.12") == 0 || strcmp(name, "libmpich.so.12") == 0 ||
           (begins(name, "libmpi") && strlen(name) > 6 && strcmp(name + strlen(name) - 6, ".so.12") == 0);
}

// The ABI of the MPI standard (MPI-5.0, chapter 20).
static bool standard_abi(void *library, const char *name, bool loaded)
{
    typedef int version_of(int *, int *);
    if (begins(name, "libmpi_abi.") || begins(name, "libpmpi_abi."))
        return true;
    version_of *ask = loaded ? (version_of *)dlsym(library, "MPI_Abi_get_version") : NULL;
    int major = -1, minor = -1;
    return ask && ask(&major, &minor) == MPI_SUCCESS && major > 0;
}

// An older library does not know all handles and constants of a newer mpi.h.
static bool older(void *library)
{
    typedef int version_of(int *, int *);
    version_of *ask = (version_of *)dlsym(library, "PMPI_Get_version");
    int major = MPI_VERSION, minor = MPI_SUBVERSION;
    if (ask)
        ask(&major, &minor);
    return major < MPI_VERSION || (major == MPI_VERSION && minor < MPI_SUBVERSION);
}

// The headers of Open MPI and MPICH name them; that of the standard ABI is nobody's.
#if defined OPEN_MPI
enum { FOR_OPEN_MPI = true, FOR_STANDARD = false };
#elif defined MPICH_VERSION || !defined MPI_ABI_VERSION
enum { FOR_OPEN_MPI = false, FOR_STANDARD = false };
#else
enum { FOR_OPEN_MPI = false, FOR_STANDARD = true };
#endif

bool uk_library_fits(bool loaded, const char **path)
{
    struct link_map *map = NULL;
    void *library = uk_library();
    if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return true; // a static one: nothing is known of it
    *path = map->l_name;
    const char *name = soname(map);
    if (standard_abi(library, name, loaded) != FOR_STANDARD)
        return false;
    if (FOR_STANDARD)
        return !loaded || !older(library);
    if ((dlsym(library, "ompi_mpi_comm_world") != NULL) != FOR_OPEN_MPI)
        return false;
    if (strcmp(name, uk_soname) != 0 && begins(name, "libmpi") && !(common_abi(name) && common_abi(uk_soname)))
        return false;
    return !loaded || !older(library);
}
