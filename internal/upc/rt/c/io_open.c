/*
 * Opening and closing files. A handle is a pointer-to-shared to an object that has the same place on all threads, in
 * which each keeps the address of its own struct upcr_file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"

upcr_ptr upc_all_fopen(const char *name, int flags, size_t count, const struct upc_hint *hints);
int upc_all_fclose(upcr_ptr fd);
int upc_all_fsync(upcr_ptr fd);

struct handle {
    uint64_t magic;
    struct upcr_file *file;
};
static const uint64_t open_magic = 0x7570635f66696c65;

struct upcr_file *upcr_file_of(upcr_ptr fd, const char *function, int idle)
{
    const struct handle *h = upcr_own(fd);
    if (UPCR_IS_NULL(fd) || upcr_offset(fd) < upcr_heap_low || upcr_offset(fd) >= upcr_heap_high ||
        h->magic != open_magic)
        upcr_fail("thread %d calls %s with a pointer that is not an open file; hint: it comes from upc_all_fopen, "
                  "which gives a null pointer if it "
                  "fails",
                  upcr_thread, function);
    if (idle && h->file->outstanding)
        upcr_fail("thread %d calls %s for a file that has an asynchronous operation outstanding; hint: "
                  "upc_all_fwait_async comes first",
                  upcr_thread, function);
    return h->file;
}

int upcr_errno(int error)
{
    int class;
    if (error == MPI_SUCCESS)
        return 0;
    MPI_Error_class(error, &class);
    switch (class) {
    case MPI_ERR_NO_SUCH_FILE:
        return ENOENT;
    case MPI_ERR_FILE_EXISTS:
        return EEXIST;
    case MPI_ERR_ACCESS:
        return EACCES;
    case MPI_ERR_READ_ONLY:
        return EROFS;
    case MPI_ERR_NO_SPACE:
        return ENOSPC;
    case MPI_ERR_QUOTA:
        return EDQUOT;
    case MPI_ERR_FILE_IN_USE:
        return EBUSY;
    case MPI_ERR_ARG:
    case MPI_ERR_AMODE:
    case MPI_ERR_BAD_FILE:
        return EINVAL;
    }
    return EIO;
}

int upcr_all_fine(int error)
{
    static struct upcr_part all[UPCR_MAX_THREADS];
    struct upcr_part mine = {.there = (uint64_t)error};
    upcr_parts(&mine, all);
    for (int t = 0; t < upcr_threads; t++)
        if (all[t].there) {
            errno = (int)all[t].there;
            return -1;
        }
    return 0;
}

static int exactly_one(int flags, int of)
{
    return (flags & of) && !((flags & of) & ((flags & of) - 1));
}

/*
 * Thread 0 creates, empties and checks the file as the flags say, so that all systems and MPI libraries agree on the
 * errors.
 */
static int prepare(const char *name, int flags, int mode)
{
    int how = flags & UPC_RDONLY ? O_RDONLY : flags & UPC_WRONLY ? O_WRONLY : O_RDWR;
    if (!exactly_one(flags, UPC_RDONLY | UPC_WRONLY | UPC_RDWR) ||
        !exactly_one(flags, UPC_INDIVIDUAL_FP | UPC_COMMON_FP) || !name || !*name)
        return EINVAL;
    how |= (flags & UPC_CREATE ? O_CREAT : 0) | (flags & UPC_EXCL ? O_EXCL : 0) | (flags & UPC_TRUNC ? O_TRUNC : 0);
    int file = open(name, how | O_CLOEXEC, mode);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

/* Open MPI 4.1 does not open names of one letter. */
static char *path_of(const char *name)
{
    char *path = malloc(strlen(name) + sizeof "./");
    if (path)
        sprintf(path, "%s%s", strchr(name, '/') ? "" : "./", name);
    return path;
}

static struct upcr_file *open_mine(const char *name, int flags, size_t count, const struct upc_hint *hints, int *error)
{
    struct upcr_file *f = calloc(1, sizeof *f);
    f->flags = flags;
    f->name = strdup(name);
    for (size_t i = 0; i < count; i++)
        upcr_keep_hint(f, &hints[i]);
    int mode = flags & UPC_RDONLY ? MPI_MODE_RDONLY : flags & UPC_WRONLY ? MPI_MODE_WRONLY : MPI_MODE_RDWR;
    MPI_Info info = upcr_hint_info(f);
    upcr_meet();
    upcr_in_mpi++;
    char *path = path_of(name);
    *error = upcr_errno(MPI_File_open(upcr_comm, path ? path : name, mode, info, &f->mpi));
    free(path);
    if (!*error && (flags & UPC_STRONG_CA))
        *error = upcr_errno(MPI_File_set_atomicity(f->mpi, 1));
    MPI_Offset size = 0;
    if (!*error && (flags & UPC_APPEND))
        *error = upcr_errno(MPI_File_get_size(f->mpi, &size));
    upcr_in_mpi--;
    MPI_Info_free(&info);
    f->position = size;
    return f;
}

static void forget(struct upcr_file *f)
{
    for (size_t i = 0; i < f->hint_count; i++) {
        free((char *)(uintptr_t)f->hints[i].key);
        free((char *)(uintptr_t)f->hints[i].value);
    }
    free(f->hints);
    free(f->name);
    free(f);
}

static int permissions(size_t count, const struct upc_hint *hints)
{
    int mode = 0666;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(hints[i].key, "file_perm"))
            mode = (int)strtol(hints[i].value, NULL, 8);
    return mode;
}

upcr_ptr upc_all_fopen(const char *name, int flags, size_t count, const struct upc_hint *hints)
{
    int error = upcr_thread == 0 ? prepare(name, flags, permissions(count, hints)) : 0;
    if (upcr_all_fine(error))
        return 0;
    struct upcr_file *f = open_mine(name, flags, count, hints, &error);
    if (upcr_all_fine(error)) {
        int why = errno;
        if (!error)
            MPI_File_close(&f->mpi);
        forget(f);
        errno = why;
        return 0;
    }
    upcr_ptr fd = upcr_tell(upcr_thread == 0 ? upcr_alloc_global(sizeof(struct handle), "upc_all_fopen") : 0);
    *(struct handle *)upcr_own(fd) = (struct handle){open_magic, f};
    return fd;
}

int upc_all_fclose(upcr_ptr fd)
{
    struct upcr_file *f = upcr_file_of(fd, "upc_all_fclose", 1);
    upcr_meet();
    upcr_in_mpi++;
    int error = upcr_errno(MPI_File_close(&f->mpi));
    upcr_in_mpi--;
    ((struct handle *)upcr_own(fd))->magic = 0;
    int result = upcr_all_fine(error);
    if (upcr_thread == 0) {
        if (f->flags & UPC_DELETE_ON_CLOSE)
            unlink(f->name);
        upcr_free_block(fd, "upc_all_fclose");
    }
    forget(f);
    return result;
}

int upc_all_fsync(upcr_ptr fd)
{
    struct upcr_file *f = upcr_file_of(fd, "upc_all_fsync", 1);
    upcr_meet();
    upcr_in_mpi++;
    int error = f->flags & UPC_RDONLY ? 0 : upcr_errno(MPI_File_sync(f->mpi));
    upcr_in_mpi--;
    return upcr_all_fine(error);
}
