// What a process may hear of others by ways that are not those of MPI or OpenSHMEM: files, pipes, sockets, semaphores, signals, memory that it shares. These
// functions of the C library stand before the real ones, and say so. The probe for OpenSHMEM has them as well.
//
// Runs: wherever the program or a library calls these functions, on every thread, in signal handlers and in a child after fork.
//
// Never: locks, allocates or sets errno; changes what the functions do. Those that stand behind these are looked up in a constructor; who comes earlier looks up the one that it
// needs.
#define _GNU_SOURCE
// The headers must not define any of these functions themselves, inline.
#undef _FORTIFY_SOURCE
#undef __NO_INLINE__
#define __NO_INLINE__ 1
#include "ears/ears.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)

void (*uk_hears)(bool);

static void hear(bool always)
{
    void (*tell)(bool) = __atomic_load_n(&uk_hears, __ATOMIC_RELAXED);
    if (tell)
        tell(always);
}

// Functions that may bring something: result, name, parameters, arguments, and the result if there is none behind it.
#define WAYS(X)                                                                                                                    \
    X(int, access, (const char *path, int mode), (path, mode), -1)                                                                 \
    X(int, faccessat, (int dir, const char *path, int mode, int flags), (dir, path, mode, flags), -1)                              \
    X(int, stat, (const char *path, struct stat *s), (path, s), -1)                                                                \
    X(int, lstat, (const char *path, struct stat *s), (path, s), -1)                                                               \
    X(int, fstat, (int f, struct stat *s), (f, s), -1)                                                                             \
    X(int, fstatat, (int dir, const char *path, struct stat *s, int flags), (dir, path, s, flags), -1)                             \
    X(int, stat64, (const char *path, struct stat64 *s), (path, s), -1)                                                            \
    X(int, lstat64, (const char *path, struct stat64 *s), (path, s), -1)                                                           \
    X(int, fstat64, (int f, struct stat64 *s), (f, s), -1)                                                                         \
    X(int, fstatat64, (int dir, const char *path, struct stat64 *s, int flags), (dir, path, s, flags), -1)                         \
    X(int, __xstat, (int version, const char *path, struct stat *s), (version, path, s), -1)                                       \
    X(int, __lxstat, (int version, const char *path, struct stat *s), (version, path, s), -1)                                      \
    X(int, __fxstat, (int version, int f, struct stat *s), (version, f, s), -1)                                                    \
    X(int, __xstat64, (int version, const char *path, struct stat64 *s), (version, path, s), -1)                                   \
    X(int, __lxstat64, (int version, const char *path, struct stat64 *s), (version, path, s), -1)                                  \
    X(int, __fxstat64, (int version, int f, struct stat64 *s), (version, f, s), -1)                                                \
    X(int, statx, (int dir, const char *path, int flags, unsigned mask, struct statx *s), (dir, path, flags, mask, s), -1)         \
    X(int, __open_2, (const char *path, int flags), (path, flags), -1)                                                             \
    X(int, __open64_2, (const char *path, int flags), (path, flags), -1)                                                           \
    X(int, __openat_2, (int dir, const char *path, int flags), (dir, path, flags), -1)                                             \
    X(int, __openat64_2, (int dir, const char *path, int flags), (dir, path, flags), -1)                                           \
    X(ssize_t, read, (int f, void *to, size_t n), (f, to, n), -1)                                                                  \
    X(ssize_t, __read_chk, (int f, void *to, size_t n, size_t room), (f, to, n, room), -1)                                         \
    X(ssize_t, pread, (int f, void *to, size_t n, off_t at), (f, to, n, at), -1)                                                   \
    X(ssize_t, pread64, (int f, void *to, size_t n, off64_t at), (f, to, n, at), -1)                                               \
    X(ssize_t, __pread_chk, (int f, void *to, size_t n, off_t at, size_t room), (f, to, n, at, room), -1)                          \
    X(ssize_t, __pread64_chk, (int f, void *to, size_t n, off64_t at, size_t room), (f, to, n, at, room), -1)                      \
    X(ssize_t, readv, (int f, const struct iovec *to, int n), (f, to, n), -1)                                                      \
    X(ssize_t, preadv, (int f, const struct iovec *to, int n, off_t at), (f, to, n, at), -1)                                       \
    X(ssize_t, preadv64, (int f, const struct iovec *to, int n, off64_t at), (f, to, n, at), -1)                                   \
    X(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n), -1)                                                \
    X(ssize_t, readlinkat, (int dir, const char *path, char *to, size_t n), (dir, path, to, n), -1)                                \
    X(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)                                                     \
    X(FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL)                                                   \
    X(FILE *, freopen, (const char *path, const char *mode, FILE *f), (path, mode, f), NULL)                                       \
    X(FILE *, freopen64, (const char *path, const char *mode, FILE *f), (path, mode, f), NULL)                                     \
    X(FILE *, popen, (const char *command, const char *mode), (command, mode), NULL)                                               \
    X(size_t, fread, (void *to, size_t size, size_t n, FILE *f), (to, size, n, f), 0)                                              \
    X(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t n, FILE *f), (to, room, size, n, f), 0)                     \
    X(char *, fgets, (char *to, int n, FILE *f), (to, n, f), NULL)                                                                 \
    X(char *, __fgets_chk, (char *to, size_t room, int n, FILE *f), (to, room, n, f), NULL)                                        \
    X(int, fgetc, (FILE *f), (f), EOF)                                                                                             \
    X(int, getc, (FILE *f), (f), EOF)                                                                                              \
    X(ssize_t, getline, (char **to, size_t *n, FILE *f), (to, n, f), -1)                                                           \
    X(ssize_t, getdelim, (char **to, size_t *n, int end, FILE *f), (to, n, end, f), -1)                                            \
    X(ssize_t, __getdelim, (char **to, size_t *n, int end, FILE *f), (to, n, end, f), -1)                                          \
    X(DIR *, opendir, (const char *path), (path), NULL)                                                                            \
    X(struct dirent *, readdir, (DIR *d), (d), NULL)                                                                               \
    X(struct dirent64 *, readdir64, (DIR *d), (d), NULL)                                                                           \
    X(int, flock, (int f, int how), (f, how), -1)                                                                                  \
    X(int, lockf, (int f, int how, off_t n), (f, how, n), -1)                                                                      \
    X(int, lockf64, (int f, int how, off64_t n), (f, how, n), -1)                                                                  \
    X(int, poll, (struct pollfd *list, nfds_t n, int patience), (list, n, patience), -1)                                           \
    X(int, __poll_chk, (struct pollfd *list, nfds_t n, int patience, size_t room), (list, n, patience, room), -1)                  \
    X(int, ppoll, (struct pollfd *list, nfds_t n, const struct timespec *patience, const sigset_t *mask), (list, n, patience, mask), -1) \
    X(int, select, (int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *patience), (n, in, out, other, patience), -1)    \
    X(int, pselect, (int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *patience, const sigset_t *mask),        \
      (n, in, out, other, patience, mask), -1)                                                                                     \
    X(int, epoll_wait, (int f, struct epoll_event *list, int n, int patience), (f, list, n, patience), -1)                         \
    X(int, epoll_pwait, (int f, struct epoll_event *list, int n, int patience, const sigset_t *mask), (f, list, n, patience, mask), -1) \
    X(int, connect, (int f, const struct sockaddr *to, socklen_t n), (f, to, n), -1)                                               \
    X(int, accept, (int f, struct sockaddr *from, socklen_t *n), (f, from, n), -1)                                                 \
    X(int, accept4, (int f, struct sockaddr *from, socklen_t *n, int flags), (f, from, n, flags), -1)                              \
    X(ssize_t, recv, (int f, void *to, size_t n, int flags), (f, to, n, flags), -1)                                                \
    X(ssize_t, __recv_chk, (int f, void *to, size_t n, size_t room, int flags), (f, to, n, room, flags), -1)                       \
    X(ssize_t, recvfrom, (int f, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *size), (f, to, n, flags, from, size), -1) \
    X(ssize_t, __recvfrom_chk, (int f, void *to, size_t n, size_t room, int flags, struct sockaddr *from, socklen_t *size),        \
      (f, to, n, room, flags, from, size), -1)                                                                                     \
    X(ssize_t, recvmsg, (int f, struct msghdr *to, int flags), (f, to, flags), -1)                                                 \
    X(int, sem_wait, (sem_t *s), (s), -1)                                                                                          \
    X(int, sem_trywait, (sem_t *s), (s), -1)                                                                                       \
    X(int, sem_timedwait, (sem_t *s, const struct timespec *until), (s, until), -1)                                                \
    X(int, sem_getvalue, (sem_t *s, int *value), (s, value), -1)                                                                   \
    X(int, semop, (int id, struct sembuf *list, size_t n), (id, list, n), -1)                                                      \
    X(int, semtimedop, (int id, struct sembuf *list, size_t n, const struct timespec *patience), (id, list, n, patience), -1)      \
    X(ssize_t, msgrcv, (int id, void *to, size_t n, long type, int flags), (id, to, n, type, flags), -1)                           \
    X(ssize_t, mq_receive, (int q, char *to, size_t n, unsigned *priority), (q, to, n, priority), -1)                              \
    X(ssize_t, process_vm_readv, (pid_t of, const struct iovec *to, unsigned long nto, const struct iovec *from, unsigned long nfrom, unsigned long flags), \
      (of, to, nto, from, nfrom, flags), -1)                                                                                       \
    X(int, sigwait, (const sigset_t *set, int *which), (set, which), ENOSYS)                                                       \
    X(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info), -1)                                                   \
    X(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *patience), (set, info, patience), -1)       \
    X(int, sigsuspend, (const sigset_t *set), (set), -1)                                                                           \
    X(int, pause, (void), (), -1)                                                                                                  \
    X(pid_t, wait, (int *status), (status), -1)                                                                                    \
    X(pid_t, waitpid, (pid_t of, int *status, int flags), (of, status, flags), -1)                                                 \
    X(int, system, (const char *command), (command), -1)

// Others, whose wrappers are below.
#define OTHERS(X)                                                                                                                  \
    X(int, open, (const char *, int, ...))                                                                                         \
    X(int, open64, (const char *, int, ...))                                                                                       \
    X(int, openat, (int, const char *, int, ...))                                                                                  \
    X(int, openat64, (int, const char *, int, ...))                                                                                \
    X(int, fcntl, (int, int, ...))                                                                                                 \
    X(int, fcntl64, (int, int, ...))                                                                                               \
    X(int, vfscanf, (FILE *, const char *, va_list))                                                                               \
    X(int, __isoc99_vfscanf, (FILE *, const char *, va_list))                                                                      \
    X(int, __isoc23_vfscanf, (FILE *, const char *, va_list))                                                                      \
    X(void *, mmap, (void *, size_t, int, int, int, off_t))                                                                        \
    X(void *, mmap64, (void *, size_t, int, int, int, off64_t))                                                                    \
    X(void *, shmat, (int, const void *, int))

#define POINTER(type, name, params, ...) type(*name) params;
static struct {
    WAYS(POINTER)
    OTHERS(POINTER)
} next;

static void find(void *at, const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    __atomic_store((void **)at, &f, __ATOMIC_RELAXED);
}

#define FIND(type, name, ...) find(&next.name, #name);
__attribute__((constructor)) static void resolve(void)
{
    WAYS(FIND)
    OTHERS(FIND)
}

// What stands behind one, looked up if that was not done yet.
#define NEXT(name) (LIKELY(next.name != NULL) ? (void)0 : find(&next.name, #name), next.name)

#define DEFINE(type, name, params, args, none) \
    API type name params                    \
    {                                          \
        hear(false);                           \
        if (NEXT(name))                        \
            return next.name args;             \
        errno = ENOSYS;                        \
        return none;                           \
    }
#undef getc
WAYS(DEFINE)

// A file that is opened has a mode if it may be created.
static int mode_of(int flags, va_list list)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, int) : 0;
}

#define OPEN(name, params, ...)                    \
    API int name params                         \
    {                                              \
        va_list list;                              \
        va_start(list, flags);                     \
        const int mode = mode_of(flags, list);     \
        va_end(list);                              \
        hear(false);                               \
        if (NEXT(name))                            \
            return next.name(__VA_ARGS__, mode);   \
        errno = ENOSYS;                            \
        return -1;                                 \
    }
OPEN(open, (const char *path, int flags, ...), path, flags)
OPEN(open64, (const char *path, int flags, ...), path, flags)
OPEN(openat, (int dir, const char *path, int flags, ...), dir, path, flags)
OPEN(openat64, (int dir, const char *path, int flags, ...), dir, path, flags)

// Who waits for a lock of a file may come after another one for that reason. Whatever comes third is a word.
#define CONTROL(name)                                                                          \
    API int name(int f, int what, ...)                                                      \
    {                                                                                          \
        va_list list;                                                                          \
        va_start(list, what);                                                                  \
        void *with = va_arg(list, void *);                                                     \
        va_end(list);                                                                          \
        if (what == F_SETLK || what == F_SETLKW || what == F_GETLK || what == F_OFD_SETLK      \
            || what == F_OFD_SETLKW || what == F_OFD_GETLK)                                    \
            hear(false);                                                                       \
        if (NEXT(name))                                                                        \
            return next.name(f, what, with);                                                   \
        errno = ENOSYS;                                                                        \
        return -1;                                                                             \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

// Formatted input, of which the header gives each function the name that it has in one standard of C only.
#define SCAN(name, twin)                                                                       \
    API int uk_##name(FILE *, const char *, ...) __asm__(#name);                            \
    API int uk_##name(FILE *f, const char *format, ...)                                     \
    {                                                                                          \
        va_list list;                                                                          \
        va_start(list, format);                                                                \
        hear(false);                                                                           \
        const int n = NEXT(twin) ? next.twin(f, format, list) : EOF;                           \
        va_end(list);                                                                          \
        return n;                                                                              \
    }
SCAN(fscanf, vfscanf)
SCAN(__isoc99_fscanf, __isoc99_vfscanf)
SCAN(__isoc23_fscanf, __isoc23_vfscanf)

// What is mapped from a file as shared may be written by others. Allocators map memory before anything can be looked up.
static bool others_have(void *at, int flags)
{
    return at != MAP_FAILED && (flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS);
}

#define MAP(name, offset_type)                                                                        \
    API void *name(void *at, size_t size, int prot, int flags, int f, offset_type offset)          \
    {                                                                                                 \
        static __thread bool looking __attribute__((tls_model("initial-exec")));                      \
        if (!next.name && !looking) {                                                    \
            looking = true;                                                                           \
            find(&next.name, #name);                                                                  \
            looking = false;                                                                          \
        }                                                                                             \
        void *made = next.name ? next.name(at, size, prot, flags, f, offset)                          \
                               : (void *)syscall(SYS_mmap, at, size, prot, flags, f, offset);         \
        if (others_have(made, flags) && (prot & PROT_READ))                                           \
            hear(true);                                                                               \
        return made;                                                                                  \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

API void *shmat(int id, const void *at, int flags)
{
    void *made = NEXT(shmat) ? next.shmat(id, at, flags) : MAP_FAILED;
    if (made != MAP_FAILED)
        hear(true);
    return made;
}

// UCX takes the place of these two in each library that calls them. It tells whoever asks (ucm/api/ucm.h).
enum { UCM_MMAP = 1 << 0, UCM_SHMAT = 1 << 3, UCM_INSTALLS_NOTHING = 1 << 24, AFTER_THE_CALL = 1 };

union ucm_event {
    struct {
        void *made, *at;
        size_t size;
        int prot, flags, f;
        off_t offset;
    } mmap;
    struct {
        void *made;
    } shmat;
};

static void of_ucx(int type, union ucm_event *e, void *none)
{
    (void)none;
    if (type == UCM_MMAP ? others_have(e->mmap.made, e->mmap.flags) && (e->mmap.prot & PROT_READ) : e->shmat.made != MAP_FAILED)
        hear(true);
}

void uk_ears_init(void)
{
    typedef int ask_type(int events, int priority, void (*)(int, union ucm_event *, void *), void *);
    void *ucm = dlopen("libucm.so.0", RTLD_LAZY | RTLD_NOLOAD);
    ask_type *ask = ucm ? (ask_type *)dlsym(ucm, "ucm_set_event_handler") : NULL;
    if (ask)
        ask(UCM_MMAP | UCM_SHMAT | UCM_INSTALLS_NOTHING, AFTER_THE_CALL, of_ucx, NULL);
}
