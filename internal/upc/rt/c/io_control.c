/*
 * File pointers, sizes, hints and the modes of files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"

int64_t upc_all_fseek(upcr_ptr fd, int64_t offset, int origin);
int upc_all_fset_size(upcr_ptr fd, int64_t size);
int64_t upc_all_fget_size(upcr_ptr fd);
int upc_all_fpreallocate(upcr_ptr fd, int64_t size);
int upc_all_fcntl(upcr_ptr fd, int command, void *arg);
int upc_all_fsync(upcr_ptr fd);

static int64_t size_of(struct upcr_file *f)
{
    MPI_Offset size = 0;
    upcr_in_mpi++;
    int error = upcr_errno(MPI_File_get_size(f->mpi, &size));
    upcr_in_mpi--;
    if (!error)
        return size;
    errno = error;
    return -1;
}

int64_t upc_all_fseek(upcr_ptr fd, int64_t offset, int origin)
{
    struct upcr_file *f = upcr_file_of(fd, "upc_all_fseek", 1);
    int64_t from = origin == UPC_SEEK_SET   ? 0
                   : origin == UPC_SEEK_CUR ? f->position
                   : origin == UPC_SEEK_END ? size_of(f)
                                            : -1,
            to;
    if (from < 0 || __builtin_add_overflow(from, offset, &to) || to < 0) {
        errno = EINVAL;
        return -1;
    }
    return f->position = to;
}

int64_t upc_all_fget_size(upcr_ptr fd)
{
    return size_of(upcr_file_of(fd, "upc_all_fget_size", 1));
}

/* Nobody is to see the new size in an earlier call. */
static int cannot_resize(const struct upcr_file *f, int64_t size)
{
    upcr_barrier_inner();
    return size < 0 ? EINVAL : f->flags & UPC_RDONLY ? EBADF : 0;
}

int upc_all_fset_size(upcr_ptr fd, int64_t size)
{
    struct upcr_file *f = upcr_file_of(fd, "upc_all_fset_size", 1);
    int error = cannot_resize(f, size);
    if (!error) {
        upcr_in_mpi++;
        error = upcr_errno(MPI_File_set_size(f->mpi, size));
        upcr_in_mpi--;
    }
    return upcr_all_fine(error);
}

static int allocate(const char *name, int64_t size)
{
    int file = open(name, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    int error = posix_fallocate(file, 0, size);
    close(file);
    return error;
}

/* By thread 0 and without MPI: Open MPI's MPI_File_preallocate fails for files that are open for writing only. */
int upc_all_fpreallocate(upcr_ptr fd, int64_t size)
{
    struct upcr_file *f = upcr_file_of(fd, "upc_all_fpreallocate", 1);
    int error = cannot_resize(f, size);
    if (!error && upcr_thread == 0 && size > 0)
        error = allocate(f->name, size);
    return upcr_all_fine(error);
}

void upcr_keep_hint(struct upcr_file *f, const struct upc_hint *hint)
{
    size_t i = 0;
    while (i < f->hint_count && strcmp(f->hints[i].key, hint->key))
        i++;
    if (i == f->hint_count) {
        f->hints = realloc(f->hints, (i + 1) * sizeof *f->hints);
        f->hints[i] = (struct upc_hint){strdup(hint->key), NULL};
        f->hint_count++;
    }
    free((char *)(uintptr_t)f->hints[i].value);
    f->hints[i].value = strdup(hint->value);
}

/* The names are those that MPI-IO reserves for the same things (MPI-3.1, 13.2.8). */
MPI_Info upcr_hint_info(const struct upcr_file *f)
{
    MPI_Info info;
    MPI_Info_create(&info);
    for (size_t i = 0; i < f->hint_count; i++)
        if (f->hints[i].key[0] && f->hints[i].value[0])
            MPI_Info_set(info, f->hints[i].key, f->hints[i].value);
    return info;
}

static int set_hint(struct upcr_file *f, const struct upc_hint *hint)
{
    upcr_keep_hint(f, hint);
    MPI_Info info = upcr_hint_info(f);
    upcr_meet();
    upcr_in_mpi++;
    int error = upcr_errno(MPI_File_set_info(f->mpi, info));
    upcr_in_mpi--;
    MPI_Info_free(&info);
    return upcr_all_fine(error);
}

static int set_strong(struct upcr_file *f, int strong)
{
    upcr_meet();
    upcr_in_mpi++;
    int error = upcr_errno(MPI_File_set_atomicity(f->mpi, strong));
    upcr_in_mpi--;
    if (upcr_all_fine(error))
        return -1;
    f->flags = (f->flags & ~UPC_STRONG_CA) | (strong ? UPC_STRONG_CA : 0);
    return 0;
}

static int set_pointer(struct upcr_file *f, int kind)
{
    f->flags = (f->flags & ~(UPC_COMMON_FP | UPC_INDIVIDUAL_FP)) | kind;
    f->position = 0;
    return 0;
}

int upc_all_fcntl(upcr_ptr fd, int command, void *arg)
{
    struct upcr_file *f = upcr_file_of(fd, "upc_all_fcntl", command != UPC_ASYNC_OUTSTANDING);
    int sets = command == UPC_SET_WEAK_CA_SEMANTICS || command == UPC_SET_STRONG_CA_SEMANTICS ||
               command == UPC_SET_COMMON_FP || command == UPC_SET_INDIVIDUAL_FP;
    if (sets && upc_all_fsync(fd))
        return -1;
    switch (command) {
    case UPC_GET_CA_SEMANTICS:
        return f->flags & UPC_STRONG_CA;
    case UPC_SET_WEAK_CA_SEMANTICS:
        return set_strong(f, 0);
    case UPC_SET_STRONG_CA_SEMANTICS:
        return set_strong(f, 1);
    case UPC_GET_FP:
        return f->flags & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP);
    case UPC_SET_COMMON_FP:
        return set_pointer(f, UPC_COMMON_FP);
    case UPC_SET_INDIVIDUAL_FP:
        return set_pointer(f, UPC_INDIVIDUAL_FP);
    case UPC_GET_FL:
        return f->flags;
    case UPC_GET_FN:
        *(const char **)arg = f->name;
        return 0;
    case UPC_GET_HINTS:
        *(const struct upc_hint **)arg = f->hints;
        return (int)f->hint_count;
    case UPC_SET_HINT:
        return set_hint(f, arg);
    case UPC_ASYNC_OUTSTANDING:
        return f->outstanding;
    }
    errno = EINVAL;
    return -1;
}
