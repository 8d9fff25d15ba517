// Calls functions of outside/outside.c, which is linked to it, and holds what is noted of each to what it says it is.
#define _GNU_SOURCE
#include "outside/outside.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static struct uk_interaction last;
static char path[4096];
static int notes, failures;

static void noted(const struct uk_interaction *s)
{
    notes++;
    last = *s;
    if (s->path)
        snprintf(path, sizeof path, "%s", s->path);
}

static int same(const char *at) { return at ? last.path && strcmp(path, at) == 0 : !last.path; }

// What the call gave, and what was noted of it: how, with which path (or NULL) and which file, and whether there was none.
#define WANT(what, function, kind, at, file, none)                                                                                     \
    do {                                                                                                                               \
        notes = 0;                                                                                                                     \
        errno = 0;                                                                                                                     \
        if (!(what) || notes == 0 || last.how != (kind) || strcmp(last.name, function) != 0 || last.missing != (none)                  \
            || !same(at) || ((file) != -2 && last.f != (file))) {      \
            printf("%d: %s: notes %d, how %d, name %s, path %s, file %d, missing %d\n", __LINE__, #what, notes, last.how, last.name, \
                   last.path ? path : "none", last.f, last.missing);                                                                   \
            failures++;                                                                                                                \
        }                                                                                                                              \
    } while (0)

#define SILENT(what)                                      \
    do {                                                  \
        notes = 0;                                        \
        if (!(what) || notes > 0) {                       \
            printf("%d: %s: noted\n", __LINE__, #what); \
            failures++;                                   \
        }                                                 \
    } while (0)

int main(int argc, char **argv)
{
    const char *none = NULL;
    char got[16];
    struct stat s;
    FILE *f;
    DIR *d;
    int n, m;
    if (argc != 2 || chdir(argv[1]) != 0)
        return 2;
    uk_on_interaction = noted;
    WANT(access("a", F_OK) < 0 && errno == ENOENT, "access", UK_HOW_ASKED, "a", -1, true);
    WANT((n = open("a", O_CREAT | O_EXCL | O_WRONLY, 0600)) >= 0, "open", UK_HOW_OPENED, "a", n, false);
    WANT(last.flags == (O_CREAT | O_EXCL | O_WRONLY) && write(n, "text\n", 5) == 5, "write", UK_HOW_WROTE, none, n, false);
    WANT(ftruncate(n, 5) == 0, "ftruncate", UK_HOW_WROTE, none, n, false);
    WANT(close(n) == 0, "close", UK_HOW_CLOSED, none, n, false);
    WANT(open("a", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0 && errno == EEXIST, "open", UK_HOW_OPENED, "a", -1, false);
    WANT(open("b", O_RDONLY) < 0 && errno == ENOENT, "open", UK_HOW_OPENED, "b", -1, true);
    WANT(access("a", F_OK) == 0, "access", UK_HOW_ASKED, "a", -1, false);
    WANT(fstatat(AT_FDCWD, "a", &s, 0) == 0, "fstatat", UK_HOW_ASKED, "a", -1, false);
    WANT((n = open("a", O_RDWR)) >= 0, "open", UK_HOW_OPENED, "a", n, false);
    WANT(read(n, got, 2) == 2, "read", UK_HOW_READ, none, n, false);
    WANT(flock(n, LOCK_EX) == 0, "flock", UK_HOW_SHARED, none, n, false);
    WANT(flock(n, LOCK_SH) == 0, "flock", UK_HOW_READ, none, n, false);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    WANT(fcntl(n, F_SETLK, &lock) == 0, "fcntl", UK_HOW_SHARED, none, n, false);
    lock.l_type = F_RDLCK;
    WANT(fcntl(n, F_SETLK, &lock) == 0, "fcntl", UK_HOW_READ, none, n, false);
    SILENT(fstat(n, &s) == 0 && fcntl(n, F_GETFL) >= 0 && lseek(n, 0, SEEK_SET) == 0);
    WANT(mmap(NULL, 5, PROT_READ, MAP_SHARED, n, 0) != MAP_FAILED, "mmap", UK_HOW_READ, none, n, false);
    WANT(mmap(NULL, 5, PROT_READ | PROT_WRITE, MAP_SHARED, n, 0) != MAP_FAILED, "mmap", UK_HOW_SHARED, none, n, false);
    SILENT(mmap(NULL, 5, PROT_READ, MAP_PRIVATE, n, 0) != MAP_FAILED);
    SILENT(mmap(NULL, 5, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    close(n);
    WANT((f = fopen("a", "r")) != NULL, "fopen", UK_HOW_OPENED, "a", fileno(f), false);
    WANT(last.flags == O_RDONLY && fgets(got, sizeof got, f), "fgets", UK_HOW_READ, none, fileno(f), false);
    n = fileno(f);
    WANT(fclose(f) == 0, "fclose", UK_HOW_CLOSED, none, n, false);
    WANT((f = fopen("a", "a+")) != NULL && last.flags == (O_RDWR | O_CREAT | O_APPEND), "fopen", UK_HOW_OPENED, "a", -2, false);
    WANT((f = freopen("c", "w", f)) != NULL && last.flags == (O_WRONLY | O_CREAT | O_TRUNC), "freopen", UK_HOW_OPENED, "c", fileno(f), false);
    fclose(f);
    WANT(fopen("b", "r") == NULL, "fopen", UK_HOW_OPENED, "b", -1, true);
    WANT(rename("c", "d") == 0, "rename", UK_HOW_MADE, "d", -1, false);
    WANT(link("d", "e") == 0, "link", UK_HOW_MADE, "e", -1, false);
    WANT(unlink("e") == 0, "unlink", UK_HOW_MADE, "e", -1, false);
    WANT(mkdir("dir", 0700) == 0, "mkdir", UK_HOW_MADE, "dir", -1, false);
    WANT((m = open("dir", O_RDONLY | O_DIRECTORY)) >= 0 && unlinkat(m, "none", 0) < 0, "unlinkat", UK_HOW_MADE, "none", -1, true);
    WANT((d = opendir("dir")) != NULL, "opendir", UK_HOW_ASKED, "dir", -1, false);
    closedir(d);
    WANT(rmdir("dir") == 0, "rmdir", UK_HOW_MADE, "dir", -1, false);
    SILENT(select(0, NULL, NULL, NULL, &(struct timeval){0, 1}) == 0 && poll(NULL, 0, 0) == 0);
    WANT(poll(&(struct pollfd){m, POLLIN, 0}, 1, 0) >= 0, "poll", UK_HOW_READ, none, m, false);
    SILENT(kill(getpid(), 0) == 0 && alarm(0) == 0);
    WANT(kill(getppid(), SIGCHLD) == 0, "kill", UK_HOW_PROCESS, none, -1, false);
    WANT(alarm(1000) == 0, "alarm", UK_HOW_PROCESS, none, -1, false);
    SILENT(alarm(0) > 0);
    WANT(system("exit 0") == 0, "system", UK_HOW_PROCESS, none, -1, false);
    const int id = shmget(IPC_PRIVATE, 4096, 0600);
    WANT(shmat(id, NULL, 0) != (void *)-1, "shmat", UK_HOW_PROCESS, none, -1, false);
    shmctl(id, IPC_RMID, NULL);
    snprintf(got, sizeof got, "/n%d", (int)getpid());
    sem_t *sem;
    WANT((sem = sem_open(got, O_CREAT, 0600, 3)) != SEM_FAILED, "sem_open", UK_HOW_NAMED, got, -1, false);
    sem_unlink(got);
    SILENT(sem_wait(sem) == 0 && sem_trywait(sem) == 0 && sem_timedwait(sem, &(struct timespec){1, 0}) == 0 && sem_trywait(sem) < 0);
    return failures != 0;
}
