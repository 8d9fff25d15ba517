/*
 * The ledgers of files: what upc_all_fopen gave, which file pointer is in force, and whether an asynchronous operation
 * is under way.
 */
#include "ledger_files.h"
#ifdef __UPC_IO__

#include "ledger_transfers.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct upck_file *upck_files;

struct upck_file *upck_file(upc_file_t *fd)
{
    struct upck_file *f = upck_files;
    while (f && f->fd != fd)
        f = f->next;
    return f;
}

static unsigned long upck_whole_name(const char *name)
{
    char path[PATH_MAX];
    int kept = errno;
    unsigned long hash = realpath(name, path) ? upck_hash_text(0, path) : 0;
    errno = kept;
    return hash;
}

static int upck_is_regular(const char *path)
{
    struct stat status;
    return path && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The bytes from the file pointer to the end of the file, or -1. */
static long long upck_left(const struct upck_file *f)
{
    struct stat status;
    int kept = errno,
        known = f && f->position >= 0 && f->path && stat(f->path, &status) == 0 && S_ISREG(status.st_mode);
    errno = kept;
    return !known ? -1 : status.st_size > f->position ? status.st_size - f->position : 0;
}

size_t upck_to_read(const struct upck_file *f, size_t nmemb, size_t size)
{
    long long left = upck_left(f);
    if (left < 0 || size == 0)
        return 0;
    size_t whole = (size_t)left / size + ((size_t)left % size != 0);
    return whole < nmemb ? whole : nmemb;
}

void upck_was_read(const struct upck_site *site, const char *id, upc_file_t *fd, shared const void *buffer,
                   size_t block, size_t size, upc_off_t result)
{
    if (result <= 0 || size == 0 || upck_left(upck_file(fd)) >= 0)
        return;
    if (upck_leaves(site, 1, buffer, ((size_t)result - 1) / size + 1, block, size, 0))
        upck_wrong(site, id, UPCK_ERROR, 1, "buffer %s", upck_reason());
}

void upck_opened(upc_file_t *fd, const char *name, int flags, const struct upck_site *site)
{
    int kept = errno;
    if (fd) {
        struct upck_file *f = upck_file(fd);
        if (!f) {
            f = calloc(1, sizeof *f);
            if (!f)
                return;
            f->next = upck_files;
            upck_files = f;
            f->fd = fd;
        }
        f->flags = flags;
        f->common = (flags & UPC_COMMON_FP) != 0;
        f->open = 1;
        f->pending = 0;
        f->position = flags & UPC_APPEND ? -1 : 0;
        f->name = upck_whole_name(name);
        free(f->path);
        f->path = realpath(name, NULL);
        f->regular = upck_is_regular(f->path);
        f->strong = (flags & UPC_STRONG_CA) != 0;
        f->phase = upck_number();
        f->turn = 0;
        f->opened = site;
        upck_allocated((shared void *)fd, 1, 1, site, UPCK_FILE | UPCK_TOGETHER);
    }
    errno = kept;
}

int upck_bad_file(const struct upck_site *site, int arg, upc_file_t *fd)
{
    struct upck_file *f = upck_file(fd);
    (void)arg;
    if (!fd || (f && f->open))
        return UPCK_FINE;
    if (f) {
        upck_because("was closed at %s (opened at %s)", upck_spot(f->closed), upck_spot(f->opened));
        return UPCK_FREED_HERE;
    }
    upck_because("is no handle that upc_all_fopen gave");
    (void)site;
    return upck_unchecked() ? UPCK_FINE : UPCK_NEVER;
}

void upck_closed(upc_file_t *fd, const struct upck_site *site)
{
    struct upck_file *f = upck_file(fd);
    if (f) {
        f->open = 0;
        f->pending = 0;
        f->closed = site;
        upck_synced(fd);
        upck_freed((shared void *)fd, site, 1);
    }
}

/*
 * The last part of the name that the system has for the file. Directories may be mounted at different places on
 * different nodes.
 */
const char *upck_file_name(const char *name)
{
    static char *path;
    struct stat status;
    int kept = errno, several = stat(name, &status) == 0 && status.st_nlink > 1;
    free(path);
    path = several ? 0 : realpath(name, 0);
    const char *text = several ? "" : path ? path : name, *last = strrchr(text, '/');
    errno = kept;
    return last ? last + 1 : text;
}

int upck_is_open(const char *name)
{
    unsigned long whole = upck_whole_name(name);
    for (struct upck_file *f = upck_files; f; f = f->next)
        if (f->open && whole && f->name == whole) {
            upck_because("is open already, since %s", upck_spot(f->opened));
            return 1;
        }
    return 0;
}

int upck_is_open_otherwise(const char *name)
{
    enum { LOOKED_AT = 256 };
    struct stat status, other;
    int kept = errno, found = 0;
    if (stat(name, &status) == 0 && S_ISREG(status.st_mode) && !upck_is_open(name))
        for (int i = 3; i < LOOKED_AT && !found; i++)
            found = fstat(i, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino;
    errno = kept;
    return found;
}

void upck_started(upc_file_t *fd, shared const void *buffer, const struct upck_site *site)
{
    struct upck_file *f = upck_file(fd);
    if (f) {
        f->pending = 1;
        f->buffer = buffer;
        f->position = -1;
        f->started = site;
    }
}

void upck_completed(upc_file_t *fd)
{
    struct upck_file *f = upck_file(fd);
    if (f)
        f->pending = 0;
}

void upck_moved(upc_file_t *fd, upc_off_t moved)
{
    struct upck_file *f = upck_file(fd);
    if (f && (f->common || moved < 0))
        f->position = -1;
    else if (f && f->position >= 0)
        f->position += moved;
}

void upck_sought(upc_file_t *fd, upc_off_t position)
{
    struct upck_file *f = upck_file(fd);
    if (f)
        f->position = position < 0 ? -1 : position;
}

void upck_controlled(upc_file_t *fd, int cmd, int result)
{
    struct upck_file *f = upck_file(fd);
    if (!f)
        return;
    if (cmd == UPC_SET_WEAK_CA_SEMANTICS || cmd == UPC_SET_STRONG_CA_SEMANTICS)
        f->strong = cmd == UPC_SET_STRONG_CA_SEMANTICS || result < 0;
    if (cmd == UPC_SET_WEAK_CA_SEMANTICS || cmd == UPC_SET_STRONG_CA_SEMANTICS || cmd == UPC_SET_COMMON_FP ||
        cmd == UPC_SET_INDIVIDUAL_FP || cmd == UPC_SET_HINT)
        upck_synced(fd);
    if (result < 0)
        return;
    if (cmd == UPC_SET_COMMON_FP || cmd == UPC_SET_INDIVIDUAL_FP) {
        f->common = cmd == UPC_SET_COMMON_FP;
        f->position = -1;
    }
}

int upck_command(int cmd)
{
    static const int all[] = {UPC_GET_CA_SEMANTICS,
                              UPC_SET_WEAK_CA_SEMANTICS,
                              UPC_SET_STRONG_CA_SEMANTICS,
                              UPC_GET_FP,
                              UPC_SET_COMMON_FP,
                              UPC_SET_INDIVIDUAL_FP,
                              UPC_GET_FL,
                              UPC_GET_FN,
                              UPC_GET_HINTS,
                              UPC_SET_HINT,
                              UPC_ASYNC_OUTSTANDING};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == cmd)
            return 1;
    return 0;
}

int upck_seeks_below(upc_file_t *fd, upc_off_t offset, int origin)
{
    struct upck_file *f = upck_file(fd);
    if (origin == UPC_SEEK_SET && offset < 0) {
        upck_because("is %lld from the start of the file", (long long)offset);
        return 1;
    }
    if (!f || origin != UPC_SEEK_CUR || f->position < 0 || offset >= -f->position)
        return 0;
    upck_because("is %lld from the current position %lld", (long long)offset, f->position);
    return 1;
}

int upck_seeks_above(upc_file_t *fd, upc_off_t offset, int origin)
{
    struct upck_file *f = upck_file(fd);
    if (!f || origin != UPC_SEEK_CUR || f->position <= 0 || offset <= LLONG_MAX - f->position)
        return 0;
    upck_because("is %lld from the current position %lld, beyond what upc_off_t holds", (long long)offset, f->position);
    return 1;
}

const struct upck_site *upck_file_using(shared const void *ptr)
{
    for (struct upck_file *f = upck_files; f; f = f->next)
        if (f->pending && upck_same_object(ptr, f->buffer))
            return f->started;
    return 0;
}

void upck_files_end(void)
{
    for (struct upck_file *f = upck_files; f; f = f->next)
        if (f->pending)
            upck_wrong(f->started, "ENDT-07", UPCK_WARNING, -1,
                       "the operation that begins here is never completed by upc_all_fwait_async or "
                       "upc_all_ftest_async");
}

/* ---- Hints. ---- */

int upck_hints_readable(size_t n, const struct upc_hint *hints)
{
    if (!n || !hints || UPCK_HUGE(n) || UPCK_OVERFLOWS(n, sizeof *hints))
        return 1;
    if (!upck_readable(hints, n * sizeof *hints))
        return 0;
    for (size_t i = 0; i < n; i++)
        if ((hints[i].key && !upck_readable_text(hints[i].key)) ||
            (hints[i].value && !upck_readable_text(hints[i].value)))
            return 0;
    return 1;
}

int upck_null_hint(size_t n, const struct upc_hint *hints)
{
    if (!hints || !upck_hints_readable(n, hints))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (!hints[i].key || !hints[i].value) {
            upck_because("[%zu] has a null %s", i, hints[i].key ? "value" : "key");
            return 1;
        }
    return 0;
}

/* As "key=value,key=value"; what does not fit counts all the same. */
struct upck_value upck_hints(int arg, size_t n, const struct upc_hint *hints)
{
    char text[400] = "";
    size_t used = 0;
    unsigned long hash = 0;
    int known = hints && upck_hints_readable(n, hints);
    for (size_t i = 0; known && i < n; i++) {
        hash = upck_hash_text(upck_hash_text(hash, hints[i].key), hints[i].value);
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", i ? "," : "",
                                     hints[i].key ? hints[i].key : "", hints[i].value ? hints[i].value : "");
    }
    struct upck_value v = upck_text(arg, text);
    v.bits[0] = hash;
    return v;
}

static int upck_all_of(const char *text, const char *also)
{
    for (; *text; text++)
        if (!isdigit((unsigned char)*text) && !strchr(also, *text))
            return 0;
    return 1;
}

int upck_malformed_hint(size_t n, const struct upc_hint *hints)
{
    static const char *const numbers[] = {"cb_buffer_size",  "cb_nodes",      "nb_proc",  "striping_factor",
                                          "start_io_device", "striping_unit", "file_perm"};
    if (!hints || !upck_hints_readable(n, hints) || upck_null_hint(n, hints))
        return 0;
    for (size_t i = 0; i < n; i++) {
        const char *key = hints[i].key, *value = hints[i].value, *wanted = 0;
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (!strcmp(key, numbers[k]) && (!*value || !upck_all_of(value, "")))
                wanted = "a number";
        if (!strcmp(key, "collective_buffering") && strcmp(value, "true") && strcmp(value, "false"))
            wanted = "true or false";
        if (wanted) {
            upck_because("[%zu]: %s is \"%.40s\", and has to be %s", i, key, value, wanted);
            return 1;
        }
    }
    return 0;
}

#else

#include "ledger_transfers.h"

const struct upck_site *upck_file_using(shared const void *ptr)
{
    (void)ptr;
    return 0;
}

void upck_files_end(void)
{
}

#endif
