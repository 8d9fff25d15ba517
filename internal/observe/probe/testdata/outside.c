// Calls the functions of outside/outside.c, which is linked to it, and holds each to what the C library does; and counts how often it is told that something may have been heard.
#define _GNU_SOURCE
#include "outside/outside.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int now, lasting, failures;

static void hears(bool always) { ++*(always ? &lasting : &now); }

#define WANT(what)                                                             \
    do {                                                                       \
        const int before = now;                                                \
        if (!(what)) {                                                         \
            printf("%d: not so: %s\n", __LINE__, #what);                       \
            failures++;                                                        \
        } else if (now == before) {                                            \
            printf("%d: nothing was said to be heard: %s\n", __LINE__, #what); \
            failures++;                                                        \
        }                                                                      \
    } while (0)

static void files(const char *dir)
{
    char path[256], got[16] = "", *line = NULL;
    size_t room = 0, n = sizeof got; // not known to the compiler
    struct stat s;
    struct stat64 s64;
    struct statx sx;
    snprintf(path, sizeof path, "%s/file", dir);
    int f, at = open(dir, O_RDONLY | O_DIRECTORY);
    WANT((f = open(path, O_RDWR | O_CREAT, 0640)) >= 0);
    WANT(fstat(f, &s) == 0 && (s.st_mode & 0777) == (0640 & ~umask(umask(0))));
    if (write(f, "one 2\nthree\n", 12) != 12)
        failures++;
    WANT(access(path, R_OK) == 0 && access("/nowhere", R_OK) != 0);
    WANT(faccessat(at, "file", R_OK, 0) == 0);
    WANT(stat(path, &s) == 0 && s.st_size == 12);
    WANT(lstat(path, &s) == 0 && s.st_size == 12);
    WANT(fstatat(at, "file", &s, 0) == 0 && s.st_size == 12);
    WANT(stat64(path, &s64) == 0 && s64.st_size == 12);
    WANT(lstat64(path, &s64) == 0 && s64.st_size == 12);
    WANT(fstat64(f, &s64) == 0 && s64.st_size == 12);
    WANT(fstatat64(at, "file", &s64, 0) == 0 && s64.st_size == 12);
    WANT(statx(at, "file", 0, STATX_SIZE, &sx) == 0 && sx.stx_size == 12);
    int other, flags = O_RDONLY + (now < 0);
    WANT((other = openat(at, "file", O_RDONLY)) >= 0 && close(other) == 0);
    WANT((other = open64(path, flags)) >= 0 && close(other) == 0);
    WANT((other = openat64(at, "file", flags)) >= 0 && close(other) == 0);
    WANT(pread(f, got, n - 13, 0) == 3 && memcmp(got, "one", 3) == 0);
    WANT(pread64(f, got, n - 13, 6) == 3 && memcmp(got, "thr", 3) == 0);
    WANT(lseek(f, 0, SEEK_SET) == 0 && read(f, got, n) == 12);
    struct iovec to = {got, 3};
    WANT(lseek(f, 0, SEEK_SET) == 0 && readv(f, &to, 1) == 3);
    WANT(preadv(f, &to, 1, 6) == 3 && memcmp(got, "thr", 3) == 0);
    WANT(preadv64(f, &to, 1, 0) == 3 && memcmp(got, "one", 3) == 0);
    struct flock lock = {.l_type = F_RDLCK};
    WANT(fcntl(f, F_SETLK, &lock) == 0);
    if (fcntl(f, F_GETFD) < 0 || fcntl(f, F_SETFD, FD_CLOEXEC) != 0 || fcntl(f, F_GETFD) != FD_CLOEXEC)
        failures++;
    WANT(flock(f, LOCK_EX) == 0 && flock(f, LOCK_UN) == 0);
    WANT(lockf(f, F_TLOCK, 1) == 0);
    FILE *text;
    int number = 0;
    WANT((text = fopen(path, "r")) != NULL);
    WANT(fscanf(text, "%15s %d", got, &number) == 2 && strcmp(got, "one") == 0 && number == 2);
    WANT(fgetc(text) == '\n');
    WANT(getc(text) == 't');
    WANT(fgets(got, (int)n, text) && strcmp(got, "hree\n") == 0);
    WANT((text = freopen(path, "r", text)) != NULL);
    WANT(fread(got, 1, n - 13, text) == 3 && memcmp(got, "one", 3) == 0);
    WANT(getline(&line, &room, text) == 3 && strcmp(line, " 2\n") == 0);
    WANT(getdelim(&line, &room, 'r', text) == 3 && strcmp(line, "thr") == 0);
    fclose(text);
    WANT((text = fopen64(path, "r")) != NULL && fclose(text) == 0);
    WANT((text = popen("echo word", "r")) != NULL);
    WANT(fgets(got, (int)n, text) && strcmp(got, "word\n") == 0 && pclose(text) == 0);
    free(line);
    char link[256], where[256] = "";
    snprintf(link, sizeof link, "%s/link", dir);
    if (symlink(path, link) != 0)
        failures++;
    WANT(readlink(link, where, sizeof where - 1) > 0 && strcmp(where, path) == 0);
    WANT(readlinkat(at, "link", where, sizeof where - 1) > 0 && strcmp(where, path) == 0);
    DIR *d;
    WANT((d = opendir(dir)) != NULL);
    WANT(readdir(d) != NULL);
    WANT(readdir64(d) != NULL);
    closedir(d);
    void *shared, *own = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, f, 0);
    if (own == MAP_FAILED || memcmp(own, "one", 3) != 0 || lasting != 0)
        failures++;
    shared = mmap(NULL, 4096, PROT_READ, MAP_SHARED, f, 0);
    if (shared == MAP_FAILED || memcmp(shared, "one", 3) != 0 || lasting != 1)
        failures++;
    shared = mmap64(NULL, 4096, PROT_READ, MAP_SHARED, f, 0);
    if (shared == MAP_FAILED || lasting != 2)
        failures++;
    close(f);
    close(at);
}

static void others(const char *dir)
{
    int pipes[2], sockets[2], e = epoll_create1(0), here;
    char got[16] = "";
    size_t n = sizeof got;
    struct timespec soon = {0, 1};
    struct epoll_event ready = {.events = EPOLLIN};
    sigset_t none, one;
    if (pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || write(pipes[1], "x", 1) != 1 || e < 0 || epoll_ctl(e, EPOLL_CTL_ADD, pipes[0], &ready) != 0)
        failures++;
    struct pollfd p = {pipes[0], POLLIN, 0};
    sigemptyset(&none);
    fd_set set;
    struct timeval patience = {1, 0};
    WANT(poll(&p, 1, -1) == 1);
    WANT(ppoll(&p, 1, NULL, NULL) == 1);
    FD_ZERO(&set);
    FD_SET(pipes[0], &set);
    WANT(select(pipes[0] + 1, &set, NULL, NULL, &patience) == 1);
    WANT(pselect(pipes[0] + 1, &set, NULL, NULL, NULL, &none) == 1);
    WANT(epoll_wait(e, &ready, 1, -1) == 1);
    WANT(epoll_pwait(e, &ready, 1, -1, &none) == 1);
    for (int i = 0; i < 3; i++)
        if (send(sockets[0], "abcde", 5, 0) != 5)
            failures++;
    struct iovec to = {got, 5};
    struct msghdr m = {.msg_iov = &to, .msg_iovlen = 1};
    WANT(recv(sockets[1], got, n - 11, 0) == 5 && memcmp(got, "abcde", 5) == 0);
    WANT(recvfrom(sockets[1], got, n - 11, 0, NULL, NULL) == 5);
    WANT(recvmsg(sockets[1], &m, 0) == 5);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strcpy(a.sun_path, "socket"); // what there is room for is short
    if (chdir(dir) != 0)
        failures++;
    int l = socket(AF_UNIX, SOCK_STREAM, 0), s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(l, (void *)&a, sizeof a) != 0 || listen(l, 2) != 0)
        failures++;
    WANT(connect(s, (void *)&a, sizeof a) == 0);
    WANT((here = accept(l, NULL, NULL)) >= 0 && close(here) == 0 && close(s) == 0);
    s = socket(AF_UNIX, SOCK_STREAM, 0);
    WANT(connect(s, (void *)&a, sizeof a) == 0);
    WANT((here = accept4(l, NULL, NULL, SOCK_CLOEXEC)) >= 0);
    sem_t sem;
    sem_init(&sem, 0, 3);
    WANT(sem_wait(&sem) == 0);
    WANT(sem_trywait(&sem) == 0);
    WANT(sem_timedwait(&sem, &soon) == 0);
    int value = 7;
    WANT(sem_getvalue(&sem, &value) == 0 && value == 0);
    int id = semget(IPC_PRIVATE, 1, 0600), q = msgget(IPC_PRIVATE, 0600), m5 = shmget(IPC_PRIVATE, 4096, 0600);
    struct sembuf up = {0, 2, 0}, down = {0, -1, 0};
    WANT(semop(id, &up, 1) == 0 && semop(id, &down, 1) == 0);
    WANT(semtimedop(id, &down, 1, &soon) == 0);
    semctl(id, 0, IPC_RMID);
    struct {
        long type;
        char text[4];
    } word = {1, "abc"}, back = {0, ""};
    if (msgsnd(q, &word, sizeof word.text, 0) != 0)
        failures++;
    WANT(msgrcv(q, &back, sizeof back.text, 0, 0) == sizeof back.text && strcmp(back.text, "abc") == 0);
    msgctl(q, IPC_RMID, NULL);
    const int before = lasting;
    void *at = shmat(m5, NULL, 0);
    shmctl(m5, IPC_RMID, NULL);
    if (at == (void *)-1 || lasting != before + 1)
        failures++;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, NULL);
    int which = 0;
    siginfo_t info;
    raise(SIGUSR1);
    WANT(sigwait(&one, &which) == 0 && which == SIGUSR1);
    raise(SIGUSR1);
    WANT(sigwaitinfo(&one, &info) == SIGUSR1);
    raise(SIGUSR1);
    WANT(sigtimedwait(&one, &info, &soon) == SIGUSR1);
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    WANT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
    if (fork() == 0)
        _exit(4);
    WANT(wait(&status) > 0 && WEXITSTATUS(status) == 4);
    WANT(system("exit 5") >> 8 == 5);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    uk_on_external = hears;
    files(argv[1]);
    others(argv[1]);
    return failures != 0;
}
