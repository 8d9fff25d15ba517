// Arrays that a program in Python gives to calls: mpi4py asks the interpreter for the memory of each object that it is
// given (the buffer protocol), and keeps that until the call, or the request, is over. The probe takes part in these
// questions, and so knows which object each buffer belongs to.
//
// Runs: uk_arrays_init at MPI_Init; get and release where mpi4py calls them, with the interpreter's lock; find in each
// recorded call with a buffer, on any thread.
//
// Never: asks the interpreter without its lock, which only get has for sure; changes what the program gets, or leaves
// an exception behind; runs code of the program's, except for what a garbage collection calls: only attributes are
// asked for that NumPy and Python have in C. It locks nothing. Without memory, or room, less is known.
#define _GNU_SOURCE // for dl_iterate_phdr
#include "objects/memory.h"
#include "process/process.h"
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct object object; // PyObject

// Py_buffer of Python's stable ABI, and flags of the questions for one.
struct view {
    void *buf;
    object *obj;
    ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    ssize_t *shape, *strides, *suboffsets;
    void *internal;
};
enum { FORMAT = 4, STRIDES = 0x10, CONTIGUOUS = 0x20 | 0x40 | 0x80, ANY_CONTIGUOUS = 0x80 | STRIDES | 8 };

static struct {
    int (*get)(object *, struct view *, int);
    void (*release)(struct view *);
    object *(*attr)(object *, object *);
    object *(*type)(object *);
    const char *(*utf8)(object *);
    void (*clear)(void);
    void (*incref)(object *);
    void (*decref)(object *);
    object *none;
} py;

// Names of attributes, as the interpreter keeps them.
static struct {
    object *name, *module, *dtype, *typecode, *format, *base, *obj;
} words;

static bool resolve(void)
{
    const struct uk_python_name all[] = {
        {&py.get, "PyObject_GetBuffer", NULL}, {&py.release, "PyBuffer_Release", NULL},
        {&py.attr, "PyObject_GetAttr", NULL},  {&py.type, "PyObject_Type", NULL},
        {&py.utf8, "PyUnicode_AsUTF8", NULL},  {&py.clear, "PyErr_Clear", NULL},
        {&py.incref, "Py_IncRef", NULL},       {&py.decref, "Py_DecRef", NULL},
        {&py.none, "_Py_NoneStruct", NULL},
    };
    const struct uk_python_name names[] = {
        {&words.name, "__name__", NULL},     {&words.module, "__module__", NULL}, {&words.dtype, "dtype", NULL},
        {&words.typecode, "typecode", NULL}, {&words.format, "format", NULL},     {&words.base, "base", NULL},
        {&words.obj, "obj", NULL},
    };
    return uk_python_resolve(all, sizeof all / sizeof *all) && uk_python_intern(names, sizeof names / sizeof *names);
}

// What is known of a type of objects, or of a dtype of NumPy: a reference is kept, so that its address stays its own.
// Written by get alone, by one thread at a time, and never changed.
struct known {
    object *of;
    uint64_t kind;      // of a type, UK_ARRAY_… or 0
    const char *format; // of a dtype
    size_t length;
};
enum { KNOWN = 128, LONGEST = 1000 };
static struct known types[KNOWN], dtypes[KNOWN];

// The object's place in a table, which is empty if nothing is known of it; NULL if there is no room.
static struct known *place_of(struct known *table, const object *of)
{
    const size_t first = ((uintptr_t)of >> 4) * 0x9e3779b97f4a7c15u >> 57;
    for (size_t i = 0; i < 8; i++) {
        struct known *k = &table[(first + i) % KNOWN];
        if (!k->of || k->of == of)
            return k;
    }
    return NULL;
}

static bool is_named(object *of, object *attribute, const char *name)
{
    object *s = py.attr(of, attribute);
    const char *text = s ? py.utf8(s) : NULL;
    if (!text)
        py.clear();
    const bool is = text && strcmp(text, name) == 0;
    if (s)
        py.decref(s);
    return is;
}

// What kind of array an object is, 0 if it is of no known kind.
static uint64_t kind_of(object *of)
{
    static const struct {
        const char *module, *name;
        uint64_t kind;
    } kinds[] = {
        {"numpy", "ndarray", UK_ARRAY_OF_NUMPY},      {"numpy", "memmap", UK_ARRAY_OF_NUMPY},
        {"numpy", "matrix", UK_ARRAY_OF_NUMPY},       {"array", "array", UK_ARRAY_OF_MODULE},
        {"builtins", "bytearray", UK_ARRAY_OF_BYTES}, {"builtins", "bytes", UK_ARRAY_OF_BYTES},
        {"builtins", "memoryview", UK_ARRAY_VIEW},    {"mmap", "mmap", UK_ARRAY_MAPPED},
    };
    object *type = py.type(of);
    struct known *k = type ? place_of(types, type) : NULL;
    if (!k || k->of) {
        if (type)
            py.decref(type);
        return k ? k->kind : 0;
    }
    uint64_t kind = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && kind == 0; i++)
        if (is_named(type, words.name, kinds[i].name) && is_named(type, words.module, kinds[i].module))
            kind = kinds[i].kind;
    k->kind = kind;
    k->of = type; // what a collection of garbage has put there meanwhile is as right
    return kind;
}

// The format of a dtype, as an array that has it says it; empty if that has none.
static void learn_dtype(struct known *k, object *array)
{
    struct view v;
    k->format = "";
    k->length = 0;
    if (py.get(array, &v, FORMAT | ANY_CONTIGUOUS) != 0) {
        py.clear();
        return;
    }
    const size_t length = v.format ? strlen(v.format) : 0;
    char *copy = length > 0 && length < LONGEST ? malloc(length) : NULL;
    if (copy) {
        memcpy(copy, v.format, length);
        k->format = copy;
        k->length = length;
    }
    py.release(&v);
}

// Fills in the format of an array's elements.
static void set_format(struct uk_array *a, object *of)
{
    static const char codes[] = "bBhHiIlLqQfd";
    a->format = "";
    a->length = 0;
    if (a->kind == UK_ARRAY_OF_NUMPY) {
        object *dtype = py.attr(of, words.dtype);
        struct known *k = dtype ? place_of(dtypes, dtype) : NULL;
        if (!dtype)
            py.clear();
        if (k && !k->of) {
            struct known learned = {.of = dtype};
            learn_dtype(&learned, of);
            if (!k->of) {
                *k = learned;
                dtype = NULL;
            }
        }
        if (k && (!dtype || k->of == dtype)) {
            a->format = k->format;
            a->length = k->length;
        }
        if (dtype)
            py.decref(dtype);
    } else if (a->kind == UK_ARRAY_OF_MODULE || a->kind == UK_ARRAY_VIEW) {
        object *code = py.attr(of, a->kind == UK_ARRAY_VIEW ? words.format : words.typecode);
        const char *text = code ? py.utf8(code) : NULL;
        const char *known = text && text[0] && !text[1] ? strchr(codes, text[0]) : NULL;
        if (!text)
            py.clear();
        if (known) {
            a->format = known;
            a->length = 1;
        }
        if (code)
            py.decref(code);
    } else {
        a->format = "B";
        a->length = 1;
    }
}

// Fills in the bounds of the memory that an array is a part of: that of the object which owns it.
static void set_bounds(struct uk_array *a, object *of)
{
    py.incref(of);
    enum { DEEPEST = 8 };
    struct view v;
    uint64_t kind = a->kind;
    unsigned depth = 0;
    a->low = a->high = 0;
    for (; depth < DEEPEST && (kind == UK_ARRAY_OF_NUMPY || kind == UK_ARRAY_VIEW); depth++) {
        object *base = py.attr(of, kind == UK_ARRAY_VIEW ? words.obj : words.base);
        if (!base)
            py.clear();
        const bool owns = base == py.none;
        if (!base || owns) {
            if (base)
                py.decref(base);
            if (!owns || kind == UK_ARRAY_VIEW)
                kind = 0;
            break;
        }
        py.decref(of);
        of = base;
        kind = kind_of(of);
    }
    if (kind != 0 && depth < DEEPEST) {
        if (depth == 0) {
            a->low = a->from;
            a->high = a->to;
        } else if (py.get(of, &v, ANY_CONTIGUOUS) == 0) {
            a->low = (uintptr_t)v.buf;
            a->high = a->low + (uintptr_t)v.len;
            py.release(&v);
            if (a->from < a->low || a->to > a->high)
                a->low = a->high = 0;
        } else {
            py.clear();
        }
    }
    py.decref(of);
}

// Arrays that mpi4py has asked for and not given back. An entry is written by one thread at a time, that with the
// interpreter's lock, and read by any: while it is written its stamp is 0.
enum { WORDS = sizeof(struct uk_array) / sizeof(uint64_t), ENTRIES = 64, NEAR = 4 };
static struct entry {
    const struct view *view;
    uint64_t stamp;
    uint64_t words[WORDS]; // of a struct uk_array
} entries[ENTRIES];
static uint64_t last_stamp;

static struct entry *entry_of(const struct view *v, size_t i)
{
    return &entries[((((uintptr_t)v >> 4) * 0x9e3779b97f4a7c15u >> 58) + i) % ENTRIES];
}

static void empty(struct entry *e)
{
    __atomic_store_n(&e->stamp, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    e->view = NULL;
}

static void forget(const struct view *v)
{
    for (size_t i = 0; i < NEAR; i++)
        if (entry_of(v, i)->view == v)
            empty(entry_of(v, i));
}

static void keep(const struct view *v, const struct uk_array *a)
{
    struct entry *e = entry_of(v, 0);
    for (size_t i = 1; i < NEAR; i++)
        if (entry_of(v, i)->stamp < e->stamp)
            e = entry_of(v, i);
    empty(e);
    uint64_t copy[WORDS];
    memcpy(copy, a, sizeof copy);
    for (size_t i = 0; i < WORDS; i++)
        __atomic_store_n(&e->words[i], copy[i], __ATOMIC_RELAXED);
    e->view = v;
    __atomic_store_n(&e->stamp, ++last_stamp, __ATOMIC_RELEASE);
}

// Finds the array that was asked for last of those that begin at an address, or else have it.
static bool find(uintptr_t at, struct uk_array *out)
{
    uint64_t best = 0;
    bool begins = false;
    for (size_t i = 0; i < ENTRIES; i++) {
        const uint64_t stamp = __atomic_load_n(&entries[i].stamp, __ATOMIC_ACQUIRE);
        if (stamp == 0)
            continue;
        uint64_t copy[WORDS];
        struct uk_array a;
        for (size_t k = 0; k < WORDS; k++)
            copy[k] = __atomic_load_n(&entries[i].words[k], __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&entries[i].stamp, __ATOMIC_RELAXED) != stamp)
            continue;
        memcpy(&a, copy, sizeof a);
        if (at < a.from || at >= a.to || (begins && at != a.from) || (begins == (at == a.from) && stamp < best))
            continue;
        best = stamp;
        begins = at == a.from;
        *out = a;
    }
    return best != 0;
}

static int get(object *of, struct view *v, int flags)
{
    const int rc = py.get(of, v, flags);
    if (!uk_is_ours() || uk_process.state != UK_ON)
        return rc;
    forget(v);
    const bool one_run = !(flags & STRIDES) || (flags & CONTIGUOUS);
    if (rc != 0 || !v->obj || v->len <= 0 || !one_run)
        return rc;
    struct uk_array a = {.kind = kind_of(of), .from = (uintptr_t)v->buf, .to = (uintptr_t)v->buf + (uintptr_t)v->len};
    if (a.kind == 0)
        return rc;
    set_format(&a, of);
    set_bounds(&a, of);
    keep(v, &a);
    return rc;
}

// Says whether an array is known that owns its memory, and to which nothing but a view refers: it goes with that. NumPy
// keeps small pieces of memory then, and does not free them.
static bool dies_with(const struct view *v, struct uk_array *a)
{
    for (size_t i = 0; i < NEAR; i++) {
        const struct entry *e = entry_of(v, i);
        if (e->view != v)
            continue;
        memcpy(a, e->words, sizeof *a);
        return a->kind == UK_ARRAY_OF_NUMPY && a->low == a->from && a->high == a->to && v->obj &&
               *(const uint32_t *)(const void *)v->obj == 1;
    }
    return false;
}

static void release(struct view *v)
{
    struct uk_array a;
    if (uk_is_ours()) {
        if (dies_with(v, &a))
            uk_freed_array(a.from, a.to - a.from);
        forget(v);
    }
    py.release(v);
}

// The places in an object, loaded at an address, by which it calls two functions of the interpreter, and whether it
// calls MPI.
struct calls {
    void **get, **release;
    bool mpi;
};

static void scan(struct calls *c, const struct dl_phdr_info *info, const ElfW(Rela) * from, size_t bytes,
                 const ElfW(Sym) * symbols, const char *names)
{
#if defined __aarch64__
    enum { SLOT = R_AARCH64_JUMP_SLOT, DATA = R_AARCH64_GLOB_DAT };
#else
    enum { SLOT = R_X86_64_JUMP_SLOT, DATA = R_X86_64_GLOB_DAT };
#endif
    for (size_t i = 0; from && i < bytes / sizeof *from; i++) {
        const unsigned type = ELF64_R_TYPE(from[i].r_info);
        if (type != SLOT && type != DATA)
            continue;
        const char *name = names + symbols[ELF64_R_SYM(from[i].r_info)].st_name;
        void **slot = (void **)(info->dlpi_addr + from[i].r_offset);
        if (strcmp(name, "PyObject_GetBuffer") == 0)
            c->get = slot;
        else if (strcmp(name, "PyBuffer_Release") == 0)
            c->release = slot;
        else if (strncmp(name, "MPI_", 4) == 0)
            c->mpi = true;
    }
}

// Sets a place, which is in memory that the dynamic linker has made unwritable from low to high, or is not.
static bool set(void **slot, void *to, uintptr_t low, uintptr_t high)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)slot & ~(page - 1);
    const bool fixed = (uintptr_t)slot >= low && (uintptr_t)slot < high;
    if (fixed && mprotect((void *)at, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n(slot, to, __ATOMIC_RELAXED);
    if (fixed)
        mprotect((void *)at, page, PROT_READ);
    return true;
}

static int consider(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size;
    (void)none;
    const ElfW(Dyn) *dynamic = NULL;
    uintptr_t low = 0, high = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_DYNAMIC)
            dynamic = (const void *)(info->dlpi_addr + p->p_vaddr);
        if (p->p_type == PT_GNU_RELRO) {
            low = info->dlpi_addr + p->p_vaddr;
            high = low + p->p_memsz;
        }
    }
    const ElfW(Rela) *plt = NULL, *data = NULL;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    size_t in_plt = 0, in_data = 0;
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        uintptr_t at = dynamic->d_un.d_ptr;
        if (at < info->dlpi_addr) // some C libraries leave these as they are in the file
            at += info->dlpi_addr;
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            symbols = (const void *)at;
            break;
        case DT_STRTAB:
            names = (const void *)at;
            break;
        case DT_JMPREL:
            plt = (const void *)at;
            break;
        case DT_RELA:
            data = (const void *)at;
            break;
        case DT_PLTRELSZ:
            in_plt = dynamic->d_un.d_val;
            break;
        case DT_RELASZ:
            in_data = dynamic->d_un.d_val;
            break;
        default:
            break;
        }
    }
    struct calls c = {0};
    if (!symbols || !names)
        return 0;
    scan(&c, info, plt, in_plt, symbols, names);
    scan(&c, info, data, in_data, symbols, names);
    // Without the second, what has been given back would be taken for what is there.
    if (c.mpi && c.get && c.release && set(c.release, (void *)(uintptr_t)release, low, high))
        set(c.get, (void *)(uintptr_t)get, low, high);
    return 0;
}

void uk_arrays_init(void)
{
    if (!resolve())
        return;
    dl_iterate_phdr(consider, NULL);
    uk_memory_has_arrays(find);
}
