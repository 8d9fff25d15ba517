// What a process may hear of others by ways that are not those of MPI or OpenSHMEM: files, pipes, sockets, semaphores,
// signals, memory that it shares. These functions of the C library stand before the real ones, and say so. The probe
// for OpenSHMEM has them as well.
//
// Runs: wherever the program or a library calls these functions, on every thread, in signal handlers and in a child
// after fork.
//
// Never: locks, allocates or sets errno; changes what the functions do. Those that stand behind these are looked up in
// a constructor; who comes earlier looks up the one that it needs.
#define _GNU_SOURCE
// The headers must not define any of these functions themselves, inline.
#undef _FORTIFY_SOURCE
#undef __NO_INLINE__
#define __NO_INLINE__ 1
#include "outside/outside.h"
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
#include <string.h>
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
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)

void (*uk_on_external)(bool);
void (*uk_on_taken)(const void *, bool);
void (*uk_on_given)(const void *);
void (*uk_on_interaction)(const struct uk_interaction *);
void (*uk_on_output)(int, const struct iovec *, int);
int uk_manager = -1;
const struct timespec *(*uk_until)(clockid_t, const struct timespec *, struct timespec *);

static void external(bool always)
{
    void (*tell)(bool) = __atomic_load_n(&uk_on_external, __ATOMIC_RELAXED);
    if (tell)
        tell(always);
}

// What is noted of a call, if anybody takes notes: who calls which function, and one of the words below. They use what
// the wrapper has: its parameters, what it got, and me.
static void note(const struct uk_interaction *me, enum uk_how how, struct uk_interaction s)
{
    s.name = me->name;
    s.site = me->site;
    s.missing = me->missing;
    s.how = how;
    uk_on_interaction(&s);
}

// The number of a stream's file; the headers say that a program never gives none.
static int number_of(FILE *f)
{
    return f ? fileno(f) : -1;
}

#define NOTHING (void)me
#define NOTE(how, ...) note(&me, how, (struct uk_interaction){__VA_ARGS__})
#define EXTERNAL(when) \
    if (when)          \
    NOTE(UK_HOW_PROCESS, .f = -1)
#define AT(d, p) NOTE(UK_HOW_ASKED, .dir = d, .path = p, .f = -1)
#define OF(file) NOTE(UK_HOW_READ, .f = file)
#define TO(file) NOTE(UK_HOW_WROTE, .f = file)
#define MADE(d, p) NOTE(UK_HOW_MADE, .dir = d, .path = p, .f = -1)
#define LEFT(file) NOTE(UK_HOW_CLOSED, .f = file)
#define LOCKED(file, alone) NOTE((alone) ? UK_HOW_SHARED : UK_HOW_READ, .f = file)
#define OPENED(d, p, how, file) NOTE(UK_HOW_OPENED, .dir = d, .path = p, .flags = how, .f = file)
#define STREAM_OPENED(p, mode, stream) OPENED(AT_FDCWD, p, flags_of(mode), (stream) ? fileno(stream) : -1)
#define POLLED(list, n)                              \
    for (size_t i = 0; list && i < (size_t)(n); i++) \
    OF((list)[i].fd)

// The flags with which a stream's file is opened.
static int flags_of(const char *mode)
{
    const int both = strchr(mode, '+') ? O_RDWR : O_WRONLY;
    switch (mode[0]) {
    case 'w':
        return both | O_CREAT | O_TRUNC;
    case 'a':
        return both | O_CREAT | O_APPEND;
    }
    return both == O_RDWR ? O_RDWR | O_APPEND : O_RDONLY; // what is written to the former is not seen
}

// Functions that may bring something: result, name, parameters, arguments, the result if there is none behind it, and
// what is noted of the call, in the words below.
// clang-format off
#define WAYS(X) \
    X(int, access, (const char *path, int mode), (path, mode), -1, AT(AT_FDCWD, path)) \
    X(int, faccessat, (int dir, const char *path, int mode, int flags), (dir, path, mode, flags), -1, AT(dir, path)) \
    X(int, stat, (const char *path, struct stat *s), (path, s), -1, AT(AT_FDCWD, path)) \
    X(int, lstat, (const char *path, struct stat *s), (path, s), -1, AT(AT_FDCWD, path)) \
    X(int, fstat, (int f, struct stat *s), (f, s), -1, NOTHING) \
    X(int, fstatat, (int dir, const char *path, struct stat *s, int flags), (dir, path, s, flags), -1, AT(dir, path)) \
    X(int, stat64, (const char *path, struct stat64 *s), (path, s), -1, AT(AT_FDCWD, path)) \
    X(int, lstat64, (const char *path, struct stat64 *s), (path, s), -1, AT(AT_FDCWD, path)) \
    X(int, fstat64, (int f, struct stat64 *s), (f, s), -1, NOTHING) \
    X(int, fstatat64, (int dir, const char *path, struct stat64 *s, int flags), (dir, path, s, flags), -1, AT(dir, path)) \
    X(int, __xstat, (int version, const char *path, struct stat *s), (version, path, s), -1, AT(AT_FDCWD, path)) \
    X(int, __lxstat, (int version, const char *path, struct stat *s), (version, path, s), -1, AT(AT_FDCWD, path)) \
    X(int, __fxstat, (int version, int f, struct stat *s), (version, f, s), -1, NOTHING) \
    X(int, __xstat64, (int version, const char *path, struct stat64 *s), (version, path, s), -1, AT(AT_FDCWD, path)) \
    X(int, __lxstat64, (int version, const char *path, struct stat64 *s), (version, path, s), -1, AT(AT_FDCWD, path)) \
    X(int, __fxstat64, (int version, int f, struct stat64 *s), (version, f, s), -1, NOTHING) \
    X(int, statx, (int dir, const char *path, int flags, unsigned mask, struct statx *s), (dir, path, flags, mask, s), -1, AT(dir, path)) \
    X(int, __open_2, (const char *path, int flags), (path, flags), -1, OPENED(AT_FDCWD, path, flags, got)) \
    X(int, __open64_2, (const char *path, int flags), (path, flags), -1, OPENED(AT_FDCWD, path, flags, got)) \
    X(int, __openat_2, (int dir, const char *path, int flags), (dir, path, flags), -1, OPENED(dir, path, flags, got)) \
    X(int, __openat64_2, (int dir, const char *path, int flags), (dir, path, flags), -1, OPENED(dir, path, flags, got)) \
    X(ssize_t, read, (int f, void *to, size_t n), (f, to, n), -1, OF(f)) \
    X(ssize_t, __read_chk, (int f, void *to, size_t n, size_t room), (f, to, n, room), -1, OF(f)) \
    X(ssize_t, pread, (int f, void *to, size_t n, off_t at), (f, to, n, at), -1, OF(f)) \
    X(ssize_t, pread64, (int f, void *to, size_t n, off64_t at), (f, to, n, at), -1, OF(f)) \
    X(ssize_t, __pread_chk, (int f, void *to, size_t n, off_t at, size_t room), (f, to, n, at, room), -1, OF(f)) \
    X(ssize_t, __pread64_chk, (int f, void *to, size_t n, off64_t at, size_t room), (f, to, n, at, room), -1, OF(f)) \
    X(ssize_t, readv, (int f, const struct iovec *to, int n), (f, to, n), -1, OF(f)) \
    X(ssize_t, preadv, (int f, const struct iovec *to, int n, off_t at), (f, to, n, at), -1, OF(f)) \
    X(ssize_t, preadv64, (int f, const struct iovec *to, int n, off64_t at), (f, to, n, at), -1, OF(f)) \
    X(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n), -1, AT(AT_FDCWD, path)) \
    X(ssize_t, readlinkat, (int dir, const char *path, char *to, size_t n), (dir, path, to, n), -1, AT(dir, path)) \
    X(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, STREAM_OPENED(path, mode, got)) \
    X(FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, STREAM_OPENED(path, mode, got)) \
    X(FILE *, freopen, (const char *path, const char *mode, FILE *f), (path, mode, f), NULL, STREAM_OPENED(path, mode, got)) \
    X(FILE *, freopen64, (const char *path, const char *mode, FILE *f), (path, mode, f), NULL, STREAM_OPENED(path, mode, got)) \
    X(FILE *, popen, (const char *command, const char *mode), (command, mode), NULL, EXTERNAL(true)) \
    X(size_t, fread, (void *to, size_t size, size_t n, FILE *f), (to, size, n, f), 0, OF(number_of(f))) \
    X(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t n, FILE *f), (to, room, size, n, f), 0, OF(number_of(f))) \
    X(char *, fgets, (char *to, int n, FILE *f), (to, n, f), NULL, OF(number_of(f))) \
    X(char *, __fgets_chk, (char *to, size_t room, int n, FILE *f), (to, room, n, f), NULL, OF(number_of(f))) \
    X(int, fgetc, (FILE *f), (f), EOF, OF(number_of(f))) \
    X(int, getc, (FILE *f), (f), EOF, OF(number_of(f))) \
    X(ssize_t, getline, (char **to, size_t *n, FILE *f), (to, n, f), -1, OF(number_of(f))) \
    X(ssize_t, getdelim, (char **to, size_t *n, int end, FILE *f), (to, n, end, f), -1, OF(number_of(f))) \
    X(ssize_t, __getdelim, (char **to, size_t *n, int end, FILE *f), (to, n, end, f), -1, OF(number_of(f))) \
    X(DIR *, opendir, (const char *path), (path), NULL, AT(AT_FDCWD, path)) \
    X(struct dirent *, readdir, (DIR *d), (d), NULL, NOTHING) \
    X(struct dirent64 *, readdir64, (DIR *d), (d), NULL, NOTHING) \
    X(int, flock, (int f, int how), (f, how), -1, LOCKED(f, (how & LOCK_EX) != 0)) \
    X(int, lockf, (int f, int how, off_t n), (f, how, n), -1, LOCKED(f, how != F_ULOCK)) \
    X(int, lockf64, (int f, int how, off64_t n), (f, how, n), -1, LOCKED(f, how != F_ULOCK)) \
    X(int, poll, (struct pollfd *list, nfds_t n, int patience), (list, n, patience), -1, POLLED(list, n)) \
    X(int, __poll_chk, (struct pollfd *list, nfds_t n, int patience, size_t room), (list, n, patience, room), -1, POLLED(list, n)) \
    X(int, ppoll, (struct pollfd *list, nfds_t n, const struct timespec *patience, const sigset_t *mask), (list, n, patience, mask), -1, POLLED(list, n)) \
    X(int, select, (int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *patience), (n, in, out, other, patience), -1, EXTERNAL(n > 1)) \
    X(int, pselect, (int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *patience, const sigset_t *mask), \
      (n, in, out, other, patience, mask), -1, EXTERNAL(n > 1)) \
    X(int, epoll_wait, (int f, struct epoll_event *list, int n, int patience), (f, list, n, patience), -1, EXTERNAL(true)) \
    X(int, epoll_pwait, (int f, struct epoll_event *list, int n, int patience, const sigset_t *mask), (f, list, n, patience, mask), -1, EXTERNAL(true)) \
    X(int, connect, (int f, const struct sockaddr *to, socklen_t n), (f, to, n), -1, EXTERNAL(true)) \
    X(int, accept, (int f, struct sockaddr *from, socklen_t *n), (f, from, n), -1, EXTERNAL(true)) \
    X(int, accept4, (int f, struct sockaddr *from, socklen_t *n, int flags), (f, from, n, flags), -1, EXTERNAL(true)) \
    X(ssize_t, recv, (int f, void *to, size_t n, int flags), (f, to, n, flags), -1, OF(f)) \
    X(ssize_t, __recv_chk, (int f, void *to, size_t n, size_t room, int flags), (f, to, n, room, flags), -1, OF(f)) \
    X(ssize_t, recvfrom, (int f, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *size), (f, to, n, flags, from, size), -1, OF(f)) \
    X(ssize_t, __recvfrom_chk, (int f, void *to, size_t n, size_t room, int flags, struct sockaddr *from, socklen_t *size), \
      (f, to, n, room, flags, from, size), -1, OF(f)) \
    X(ssize_t, recvmsg, (int f, struct msghdr *to, int flags), (f, to, flags), -1, OF(f)) \
    X(int, sem_getvalue, (sem_t *s, int *value), (s, value), -1, NOTHING) \
    X(int, semop, (int id, struct sembuf *list, size_t n), (id, list, n), -1, EXTERNAL(true)) \
    X(int, semtimedop, (int id, struct sembuf *list, size_t n, const struct timespec *patience), (id, list, n, patience), -1, EXTERNAL(true)) \
    X(ssize_t, msgrcv, (int id, void *to, size_t n, long type, int flags), (id, to, n, type, flags), -1, EXTERNAL(true)) \
    X(ssize_t, mq_receive, (int q, char *to, size_t n, unsigned *priority), (q, to, n, priority), -1, EXTERNAL(true)) \
    X(ssize_t, process_vm_readv, (pid_t of, const struct iovec *to, unsigned long nto, const struct iovec *from, unsigned long nfrom, unsigned long flags), \
      (of, to, nto, from, nfrom, flags), -1, EXTERNAL(true)) \
    X(int, sigwait, (const sigset_t *set, int *which), (set, which), ENOSYS, EXTERNAL(true)) \
    X(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info), -1, EXTERNAL(true)) \
    X(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *patience), (set, info, patience), -1, EXTERNAL(true)) \
    X(int, sigsuspend, (const sigset_t *set), (set), -1, EXTERNAL(true)) \
    X(int, pause, (void), (), -1, EXTERNAL(true)) \
    X(pid_t, wait, (int *status), (status), -1, EXTERNAL(true)) \
    X(pid_t, waitpid, (pid_t of, int *status, int flags), (of, status, flags), -1, EXTERNAL(true)) \
    X(int, system, (const char *command), (command), -1, EXTERNAL(true))

// Functions that bring nothing, but may be what others hear, in the same form.
#define DEEDS(X) \
    X(ssize_t, pwrite, (int f, const void *from, size_t n, off_t at), (f, from, n, at), -1, TO(f)) \
    X(ssize_t, pwrite64, (int f, const void *from, size_t n, off64_t at), (f, from, n, at), -1, TO(f)) \
    X(int, ftruncate, (int f, off_t n), (f, n), -1, TO(f)) \
    X(int, ftruncate64, (int f, off64_t n), (f, n), -1, TO(f)) \
    X(int, truncate, (const char *path, off_t n), (path, n), -1, MADE(AT_FDCWD, path)) \
    X(int, rename, (const char *from, const char *path), (from, path), -1, (MADE(AT_FDCWD, from), MADE(AT_FDCWD, path))) \
    X(int, renameat, (int d, const char *from, int dir, const char *path), (d, from, dir, path), -1, (MADE(d, from), MADE(dir, path))) \
    X(int, link, (const char *from, const char *path), (from, path), -1, (AT(AT_FDCWD, path), MADE(AT_FDCWD, path))) \
    X(int, symlink, (const char *from, const char *path), (from, path), -1, (AT(AT_FDCWD, path), MADE(AT_FDCWD, path))) \
    X(int, unlink, (const char *path), (path), -1, MADE(AT_FDCWD, path)) \
    X(int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags), -1, MADE(dir, path)) \
    X(int, remove, (const char *path), (path), -1, MADE(AT_FDCWD, path)) \
    X(int, rmdir, (const char *path), (path), -1, MADE(AT_FDCWD, path)) \
    X(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, MADE(AT_FDCWD, path)) \
    X(int, mkfifo, (const char *path, mode_t mode), (path, mode), -1, MADE(AT_FDCWD, path)) \
    X(int, kill, (pid_t to, int which), (to, which), -1, EXTERNAL(to != getpid() && which != 0)) \
    X(int, sigqueue, (pid_t to, int which, const union sigval with), (to, which, with), -1, EXTERNAL(to != getpid() && which != 0)) \
    X(ssize_t, process_vm_writev, (pid_t to, const struct iovec *from, unsigned long nfrom, const struct iovec *at, unsigned long nat, unsigned long flags), \
      (to, from, nfrom, at, nat, flags), -1, EXTERNAL(to != getpid())) \
    X(unsigned, alarm, (unsigned seconds), (seconds), 0, EXTERNAL(seconds > 0)) \
    X(int, setitimer, (__itimer_which_t which, const struct itimerval *set, struct itimerval *was), (which, set, was), -1, EXTERNAL(set && set->it_value.tv_sec + set->it_value.tv_usec > 0)) \
    X(int, close, (int f), (f), -1, LEFT(f))

// Others, whose wrappers are below.
#define OTHERS(X)                                                                                                                  \
    X(ssize_t, write, (int, const void *, size_t))                                                                                 \
    X(ssize_t, writev, (int, const struct iovec *, int))                                                                           \
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
    X(void *, shmat, (int, const void *, int))                                                                                     \
    X(int, fclose, (FILE *))                                                                                                       \
    X(sem_t *, sem_open, (const char *, int, ...))                                                                                 \
    X(int, sem_wait, (sem_t *))                                                                                                    \
    X(int, sem_trywait, (sem_t *))                                                                                                 \
    X(int, sem_timedwait, (sem_t *, const struct timespec *))
// clang-format on

#define POINTER(type, name, params, ...) type(*name) params;
static struct {
    WAYS(POINTER)
    DEEDS(POINTER)
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
    DEEDS(FIND)
    OTHERS(FIND)
}

// What stands behind one, looked up if that was not done yet.
#define NEXT(name) (LIKELY(next.name != NULL) ? (void)0 : find(&next.name, #name), next.name)

// The wrapper's own call, as it is noted.
#define ME(name) struct uk_interaction me = {#name, __builtin_return_address(0), .f = -1}

#define DEFINE(type, name, params, args, none, sound) \
    API type name params                              \
    {                                                 \
        HEAR;                                         \
        if (!NEXT(name)) {                            \
            errno = ENOSYS;                           \
            return none;                              \
        }                                             \
        if (LIKELY(!uk_on_interaction))               \
            return next.name args;                    \
        ME(name);                                     \
        type const got = next.name args;              \
        me.missing = got == none && errno == ENOENT;  \
        sound;                                        \
        return got;                                   \
    }
#define HEAR external(false)
#undef getc
WAYS(DEFINE)
#undef HEAR
#define HEAR
DEEDS(DEFINE)

#define WRITE(name, params, args, pieces, number)                           \
    API ssize_t name params                                                 \
    {                                                                       \
        if (!NEXT(name)) {                                                  \
            errno = ENOSYS;                                                 \
            return -1;                                                      \
        }                                                                   \
        if (!LIKELY(f != STDERR_FILENO && f != uk_manager) && uk_on_output) \
            uk_on_output(f, pieces, number);                                \
        if (LIKELY(!uk_on_interaction))                                     \
            return next.name args;                                          \
        ME(name);                                                           \
        ssize_t const got = next.name args;                                 \
        TO(f);                                                              \
        return got;                                                         \
    }
WRITE(write, (int f, const void *from, size_t n), (f, from, n), (&(struct iovec){(void *)from, n}), 1)
WRITE(writev, (int f, const struct iovec *from, int n), (f, from, n), from, n)

// A file that is opened has a mode if it may be created.
static int mode_of(int flags, va_list list)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, int) : 0;
}

#define OPEN(name, in, params, ...)                   \
    API int name params                               \
    {                                                 \
        va_list list;                                 \
        va_start(list, flags);                        \
        const int mode = mode_of(flags, list);        \
        va_end(list);                                 \
        external(false);                              \
        if (!NEXT(name)) {                            \
            errno = ENOSYS;                           \
            return -1;                                \
        }                                             \
        if (LIKELY(!uk_on_interaction))               \
            return next.name(__VA_ARGS__, mode);      \
        ME(name);                                     \
        const int got = next.name(__VA_ARGS__, mode); \
        me.missing = got < 0 && errno == ENOENT;      \
        OPENED(in, path, flags, got);                 \
        return got;                                   \
    }
OPEN(open, AT_FDCWD, (const char *path, int flags, ...), path, flags)
OPEN(open64, AT_FDCWD, (const char *path, int flags, ...), path, flags)
OPEN(openat, dir, (int dir, const char *path, int flags, ...), dir, path, flags)
OPEN(openat64, dir, (int dir, const char *path, int flags, ...), dir, path, flags)

// Who waits for a lock of a file may come after another one for that reason. Whatever comes third is a word.
static void lock(const char *name, void *site, int f, const struct flock *how)
{
    external(false);
    struct uk_interaction me = {name, site, .f = -1};
    if (uk_on_interaction && how)
        LOCKED(f, how->l_type != F_RDLCK);
}

#define CONTROL(name)                                                                                                \
    API int name(int f, int what, ...)                                                                               \
    {                                                                                                                \
        va_list list;                                                                                                \
        va_start(list, what);                                                                                        \
        void *with = va_arg(list, void *);                                                                           \
        va_end(list);                                                                                                \
        if (what == F_SETLK || what == F_SETLKW || what == F_GETLK || what == F_OFD_SETLK || what == F_OFD_SETLKW || \
            what == F_OFD_GETLK)                                                                                     \
            lock(#name, __builtin_return_address(0), f, with);                                                       \
        if (NEXT(name))                                                                                              \
            return next.name(f, what, with);                                                                         \
        errno = ENOSYS;                                                                                              \
        return -1;                                                                                                   \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

// Formatted input, of which the header gives each function the name that it has in one standard of C only.
#define SCAN(name, twin)                                             \
    API int uk_##name(FILE *, const char *, ...) __asm__(#name);     \
    API int uk_##name(FILE *f, const char *format, ...)              \
    {                                                                \
        va_list list;                                                \
        va_start(list, format);                                      \
        external(false);                                             \
        ME(name);                                                    \
        if (uk_on_interaction && f)                                  \
            OF(fileno(f));                                           \
        const int n = NEXT(twin) ? next.twin(f, format, list) : EOF; \
        va_end(list);                                                \
        return n;                                                    \
    }
SCAN(fscanf, vfscanf)
SCAN(__isoc99_fscanf, __isoc99_vfscanf)
SCAN(__isoc23_fscanf, __isoc23_vfscanf)

// What is mapped from a file as shared may be written by others. Allocators map memory before anything can be looked
// up.
static bool others_have(void *at, int flags)
{
    return at != MAP_FAILED && (flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS);
}

static void mapped(const char *name, void *site, int prot, int f)
{
    if (prot & PROT_READ)
        external(true);
    struct uk_interaction me = {name, site, .f = -1};
    if (uk_on_interaction)
        NOTE(prot & PROT_WRITE ? UK_HOW_SHARED : UK_HOW_READ, .f = f);
}

#define MAP(name, offset_type)                                                                \
    API void *name(void *at, size_t size, int prot, int flags, int f, offset_type offset)     \
    {                                                                                         \
        static __thread bool looking __attribute__((tls_model("initial-exec")));              \
        if (!next.name && !looking) {                                                         \
            looking = true;                                                                   \
            find(&next.name, #name);                                                          \
            looking = false;                                                                  \
        }                                                                                     \
        void *made = next.name ? next.name(at, size, prot, flags, f, offset)                  \
                               : (void *)syscall(SYS_mmap, at, size, prot, flags, f, offset); \
        if (others_have(made, flags))                                                         \
            mapped(#name, __builtin_return_address(0), prot, f);                              \
        return made;                                                                          \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

static void attached(void *site)
{
    external(true);
    struct uk_interaction me = {"shmat", site, .f = -1};
    if (uk_on_interaction)
        EXTERNAL(true);
}

API void *shmat(int id, const void *at, int flags)
{
    void *made = NEXT(shmat) ? next.shmat(id, at, flags) : MAP_FAILED;
    if (made != MAP_FAILED)
        attached(__builtin_return_address(0));
    return made;
}

API int fclose(FILE *f)
{
    ME(fclose);
    if (uk_on_interaction)
        LEFT(number_of(f));
    return NEXT(fclose) ? next.fclose(f) : EOF;
}

// What waits for a semaphore takes what others have handed on there.
#define SEMAPHORE(name, params, args)              \
    API int name params                            \
    {                                              \
        external(false);                           \
        if (!NEXT(name)) {                         \
            errno = ENOSYS;                        \
            return -1;                             \
        }                                          \
        return uk_taken(next.name args, s, false); \
    }
SEMAPHORE(sem_wait, (sem_t * s), (s))
SEMAPHORE(sem_trywait, (sem_t * s), (s))
SEMAPHORE(sem_timedwait, (sem_t * s, const struct timespec *t),
          (s, uk_until ? uk_until(CLOCK_REALTIME, t, &(struct timespec){0}) : t))

// A semaphore with a name is in a file.
API sem_t *sem_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    const unsigned value = flags & O_CREAT ? va_arg(list, unsigned) : 0;
    va_end(list);
    ME(sem_open);
    sem_t *got = NEXT(sem_open) ? next.sem_open(path, flags, mode, value) : SEM_FAILED;
    if (uk_on_interaction)
        NOTE(UK_HOW_NAMED, .path = path, .f = -1);
    return got;
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
    if (type == UCM_MMAP && others_have(e->mmap.made, e->mmap.flags))
        mapped("mmap", NULL, e->mmap.prot, e->mmap.f);
    else if (type != UCM_MMAP && e->shmat.made != MAP_FAILED)
        attached(NULL);
}

void uk_outside_init(void)
{
    typedef int ask_type(int events, int priority, void (*)(int, union ucm_event *, void *), void *);
    void *ucm = dlopen("libucm.so.0", RTLD_LAZY | RTLD_NOLOAD);
    ask_type *ask = ucm ? (ask_type *)dlsym(ucm, "ucm_set_event_handler") : NULL;
    if (ask)
        ask(UCM_MMAP | UCM_SHMAT | UCM_INSTALLS_NOTHING, AFTER_THE_CALL, of_ucx, NULL);
}
