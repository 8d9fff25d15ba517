// Exceptions of Python that the program has raised and caught: which they were and where they were raised is recorded
// before the next call, for that of a rank that others wait for in vain. Nothing is traced: an exception that is gone
// has been caught, and is seen as the interpreter frees it; one that is being handled at a call, or that something
// keeps, as pytest does, is found there.
//
// Runs: uk_caught_init at MPI_Init; init and gone wherever the interpreter makes and frees an exception, with its lock;
// uk_caught_look in each recorded call of a process with Python, with the interpreter's lock, and uk_caught_tell there,
// with or without.
//
// Never: keeps an exception, or what it refers to, alive; runs code of the program's, except for what a garbage
// collection calls; changes the exception that the thread has. What another thread has in hand is let be. Without
// memory, less is recorded.
#define _GNU_SOURCE // for RTLD_DEFAULT
#include "process/process.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct object object; // PyObject

static struct {
    object *(*traceback)(object *);
    object *(*attr)(object *, object *);
    object *(*type)(object *);
    object *(*item)(object *, ssize_t);
    const char *(*utf8)(object *);
    long (*as_long)(object *);
    void (*clear)(void);
    void (*fetch)(object **, object **, object **);
    void (*restore)(object *, object *, object *);
    void (*handled)(object **, object **, object **);
    void (*decref)(object *);
    object *(*get_sys)(const char *);
    void *(*slot)(object *, int);
    unsigned long (*flags)(object *);
    int (*is_finalizing)(void);
    object *none, *integer;
} py;

// Names of attributes, as the interpreter keeps them.
static struct {
    object *name, *next, *line, *frame, *code, *file, *args, *filename;
} words;

static bool resolve(void)
{
    const struct uk_python_name all[] = {
        {&py.traceback, "PyException_GetTraceback", NULL},
        {&py.attr, "PyObject_GetAttr", NULL},
        {&py.type, "PyObject_Type", NULL},
        {&py.item, "PyTuple_GetItem", NULL},
        {&py.utf8, "PyUnicode_AsUTF8", NULL},
        {&py.as_long, "PyLong_AsLong", NULL},
        {&py.clear, "PyErr_Clear", NULL},
        {&py.fetch, "PyErr_Fetch", NULL},
        {&py.restore, "PyErr_Restore", NULL},
        {&py.handled, "PyErr_GetExcInfo", NULL},
        {&py.decref, "Py_DecRef", NULL},
        {&py.get_sys, "PySys_GetObject", NULL},
        {&py.slot, "PyType_GetSlot", NULL},
        {&py.flags, "PyType_GetFlags", NULL},
        {&py.none, "_Py_NoneStruct", NULL},
        {&py.integer, "PyLong_Type", NULL},
        {&py.is_finalizing, "Py_IsFinalizing", "_Py_IsFinalizing"},
    };
    const struct uk_python_name names[] = {
        {&words.name, "__name__", NULL},  {&words.next, "tb_next", NULL},      {&words.line, "tb_lineno", NULL},
        {&words.frame, "tb_frame", NULL}, {&words.code, "f_code", NULL},       {&words.file, "co_filename", NULL},
        {&words.args, "args", NULL},      {&words.filename, "filename", NULL},
    };
    return uk_python_resolve(all, sizeof all / sizeof *all) && uk_python_intern(names, sizeof names / sizeof *names);
}

// Exceptions that are to be recorded, the oldest first, and which of them were looked at since the last call.
enum { KEPT = 4, FRAMES = 8, OFTEN = 16 };
static struct caught {
    char type[64], text[200];
    uint64_t n; // frames, the innermost first
    struct {
        uint64_t line;
        char file[256];
    } at[FRAMES];
} kept[KEPT];
static unsigned nkept, since;
static bool in_hand;
// What was found at a call, as long as it is there, and at how many calls; it is only compared.
static const object *held_last;
static unsigned held_often;

static bool take(void)
{
    return !__atomic_exchange_n(&in_hand, true, __ATOMIC_ACQUIRE);
}
static void give(void)
{
    __atomic_store_n(&in_hand, false, __ATOMIC_RELEASE);
}

// Copies a str object; of another one nothing.
static void copy(char *to, size_t room, object *s)
{
    const char *text = s ? py.utf8(s) : NULL;
    if (!text)
        py.clear();
    snprintf(to, room, "%s", text ? text : "");
}

static object *attr(object *of, object *name)
{
    object *a = py.attr(of, name);
    if (!a)
        py.clear();
    return a;
}

static void drop(object *o)
{
    if (o)
        py.decref(o);
}

// What an exception says, as far as that is in its arguments.
static void set_text(struct caught *c, object *exception)
{
    object *args = attr(exception, words.args), *first = args ? py.item(args, 0) : NULL,
           *second = first ? py.item(args, 1) : NULL;
    py.clear();
    object *type = first ? py.type(first) : NULL;
    if (type == py.integer && second) { // of the operating system
        copy(c->text, sizeof c->text, second);
        object *file = attr(exception, words.filename);
        const size_t n = strlen(c->text);
        char name[128];
        copy(name, sizeof name, file);
        if (name[0])
            snprintf(c->text + n, sizeof c->text - n, ": '%s'", name);
        drop(file);
    } else if (type == py.integer) {
        snprintf(c->text, sizeof c->text, "%ld", py.as_long(first));
        py.clear();
    } else {
        copy(c->text, sizeof c->text, first);
    }
    drop(type);
    drop(args);
}

// The name of the file that an entry of a traceback is in; the caller gives up the reference.
static object *file_of(object *trace)
{
    object *frame = attr(trace, words.frame), *code = frame ? attr(frame, words.code) : NULL;
    object *file = code ? attr(code, words.file) : NULL;
    drop(code);
    drop(frame);
    return file;
}

// Says whether a file is one that Cython has compiled. An exception of mpi4py comes through many of its functions.
static bool of_cython(object *file)
{
    const char *name = file ? py.utf8(file) : NULL, *end = name ? strrchr(name, '.') : NULL;
    if (!name)
        py.clear();
    return end && (strcmp(end, ".pxi") == 0 || strcmp(end, ".pyx") == 0);
}

// Notes the frames of a traceback, without those of Cython, and gives up the reference to it.
static void set_frames(struct caught *c, object *trace)
{
    enum { DEEPEST = 1000 };
    object *last[FRAMES] = {0};
    size_t n = 0;
    for (size_t depth = 0; trace && trace != py.none && depth < DEEPEST; depth++) {
        object *next = attr(trace, words.next), *file = file_of(trace);
        if (of_cython(file)) {
            drop(trace);
        } else {
            drop(last[n % FRAMES]);
            last[n++ % FRAMES] = trace;
        }
        drop(file);
        trace = next;
    }
    drop(trace);
    for (c->n = 0; c->n < FRAMES && c->n < n; c->n++) {
        object *t = last[(n - 1 - c->n) % FRAMES];
        object *line = attr(t, words.line), *file = file_of(t);
        c->at[c->n].line = line ? (uint64_t)py.as_long(line) : 0;
        copy(c->at[c->n].file, sizeof c->at[c->n].file, file);
        drop(file);
        drop(line);
    }
    for (size_t i = 0; i < FRAMES; i++)
        drop(last[i]);
}

// Says whether one of the frames may be in the user's code: the interpreter and packages catch much that they raise.
static bool of_user(const struct caught *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const char *file = c->at[i].file;
        if (strncmp(file, "<frozen ", 8) != 0 && !strstr(file, " internals>") && !strstr(file, "-packages/") &&
            !strstr(file, "/lib/python3"))
            return true;
    }
    return false;
}

// Says whether the interpreter still has what it is asked for: where it ends, it frees what scripts have kept, and then
// all that is its.
static bool stands(void)
{
    if (!py.is_finalizing())
        return true;
    const object *flags = py.get_sys("abiflags");
    return flags && flags != py.none;
}

// Notes an exception, unless it was never raised, or there have been many since the last call.
static void note(object *exception)
{
    if (__atomic_load_n(&since, __ATOMIC_RELAXED) >= OFTEN || !take())
        return;
    object *trace = py.traceback(exception);
    if (trace) {
        struct caught c = {0};
        object *type = py.type(exception), *name = type ? attr(type, words.name) : NULL;
        copy(c.type, sizeof c.type, name);
        drop(name);
        drop(type);
        set_text(&c, exception);
        set_frames(&c, trace);
        if (of_user(&c)) {
            if (nkept == KEPT)
                memmove(kept, kept + 1, --nkept * sizeof *kept);
            kept[nkept] = c;
            __atomic_store_n(&nkept, nkept + 1, __ATOMIC_RELEASE);
            __atomic_add_fetch(&since, 1, __ATOMIC_RELAXED);
        }
    }
    give();
}

// How the interpreter frees exceptions: a type has a function for that, which several share. In its place it has the
// one of the group.
// Py_tp_dealloc, and the word of a type in which it is; Py_tp_init; Py_tp_base.
enum { GROUPS = 12, DEALLOC = 52, DEALLOC_AT = 6, INIT = 60, INIT_AT = 37, BASE = 48, HEAP_TYPE = 1 << 9 };
typedef void freeing(object *);
typedef int making(object *, object *, object *);
static freeing *original[GROUPS];
static making *original_init;

// Exceptions made last, as long as they are there: what a program keeps of them is not freed before it ends.
static struct live {
    object *exception;
    const void *type;
    bool recorded;
} live[32];
static unsigned next_live;

static const void *type_of(const object *o)
{
    return ((void *const *)o)[1];
}

// Forgets an exception that is freed; true if it was recorded.
static bool forget(const object *exception)
{
    bool recorded = false;
    for (size_t i = 0; i < sizeof live / sizeof *live; i++)
        if (live[i].exception == exception) {
            recorded = live[i].recorded;
            live[i].exception = NULL;
        }
    return recorded;
}

static void forget_type(const void *type)
{
    for (size_t i = 0; i < sizeof live / sizeof *live; i++)
        if (live[i].type == type)
            live[i].exception = NULL;
}

static void gone(object *exception, unsigned group, freeing *mine)
{
    const bool recorded = forget(exception);
    if (exception == held_last)
        held_last = NULL;
    if (!recorded && uk_process.state == UK_ON && uk_is_ours() && __atomic_load_n(&since, __ATOMIC_RELAXED) < OFTEN &&
        stands()) {
        object *type = NULL, *value = NULL, *trace = NULL;
        uint64_t *count = (uint64_t *)exception; // of references; it is in the low half
        py.fetch(&type, &value, &trace);
        ++*count; // as what is asked counts references too
        note(exception);
        --*count;
        py.restore(type, value, trace);
    }
    // The interpreter frees long chains in turns if it finds its own function in the type. What it frees then of the
    // same type is not seen.
    freeing **slot = (freeing **)type_of(exception) + DEALLOC_AT;
    const bool direct = *slot == mine;
    if (direct) {
        forget_type(type_of(exception));
        *slot = original[group];
    }
    original[group](exception);
    if (direct)
        *slot = mine;
}

#define GROUP(n)                           \
    static void gone##n(object *exception) \
    {                                      \
        gone(exception, n, gone##n);       \
    }
// clang-format off
GROUP(0) GROUP(1) GROUP(2) GROUP(3) GROUP(4) GROUP(5) GROUP(6) GROUP(7) GROUP(8) GROUP(9) GROUP(10) GROUP(11)

static freeing *const mine[GROUPS] = {gone0, gone1, gone2, gone3, gone4,  gone5,
                                      gone6, gone7, gone8, gone9, gone10, gone11};
// clang-format on

// Says whether an exception of a type is seen when it is freed: the first of its bases that is not a program's decides.
static bool is_seen(object *type)
{
    for (unsigned depth = 0; type && depth < 32; depth++, type = py.slot(type, BASE)) {
        freeing *dealloc = ((freeing **)type)[DEALLOC_AT];
        for (size_t i = 0; i < GROUPS; i++)
            if (dealloc == mine[i])
                return true;
        if (!(py.flags(type) & HEAP_TYPE))
            return false;
    }
    return false;
}

static int init(object *exception, object *args, object *named)
{
    const int rc = original_init(exception, args, named);
    object *type = (object *)(uintptr_t)type_of(exception);
    if (rc != 0 || !uk_is_ours() || uk_process.state != UK_ON || !is_seen(type))
        return rc;
    forget(exception);
    struct live *l = live;
    while (l->exception && l < live + sizeof live / sizeof *live - 1)
        l++;
    if (l->exception) // no room
        l = &live[next_live++ % (sizeof live / sizeof *live)];
    l->exception = exception;
    l->type = type;
    l->recorded = false;
    return rc;
}

static void hook(object *type)
{
    void *dealloc = py.slot(type, DEALLOC), *maker = py.slot(type, INIT);
    freeing **slot = (freeing **)type + DEALLOC_AT, *found;
    making **makes = (making **)type + INIT_AT, *made;
    memcpy(&found, &dealloc, sizeof found);
    memcpy(&made, &maker, sizeof made);
    if (!found || !made) {
        py.clear();
        return;
    }
    if (*slot != found || *makes != made) // another layout
        return;
    for (size_t i = 0; i < GROUPS; i++) {
        if (found == mine[i])
            return;
        if (!original[i])
            original[i] = found;
        if (original[i] == found) {
            *slot = mine[i];
            break;
        }
    }
    if (!original_init) // of BaseException, which is the first
        original_init = made;
    if (made == original_init)
        *makes = init;
}

void uk_caught_init(void)
{
    // Not StopIteration and GeneratorExit, which end loops.
    static const char *const types[] = {
        "BaseException",
        "Exception",
        "SystemExit",
        "KeyboardInterrupt",
        "ArithmeticError",
        "AssertionError",
        "AttributeError",
        "BufferError",
        "EOFError",
        "FileExistsError",
        "FileNotFoundError",
        "FloatingPointError",
        "ImportError",
        "IndentationError",
        "IndexError",
        "InterruptedError",
        "IsADirectoryError",
        "KeyError",
        "LookupError",
        "ModuleNotFoundError",
        "NameError",
        "NotADirectoryError",
        "NotImplementedError",
        "OSError",
        "OverflowError",
        "PermissionError",
        "RecursionError",
        "ReferenceError",
        "RuntimeError",
        "SyntaxError",
        "TimeoutError",
        "TypeError",
        "UnboundLocalError",
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "UnicodeError",
        "ValueError",
        "ZeroDivisionError",
        "ConnectionError",
        "BrokenPipeError",
        "ConnectionResetError",
        "ConnectionRefusedError",
        "ChildProcessError",
        "SystemError",
    };
    if (!resolve())
        return;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char symbol[64];
        snprintf(symbol, sizeof symbol, "PyExc_%s", types[i]);
        object **type = dlsym(RTLD_DEFAULT, symbol);
        if (type && *type)
            hook(*type);
    }
}

void uk_caught_look(void)
{
    enum { MOST = 8 }; // calls: a program may live in a handler
    object *before[3], *type = NULL, *value = NULL, *trace = NULL;
    if (!words.filename) // not set up
        return;
    py.handled(&type, &value, &trace);
    object *held = value && value != py.none ? value : py.get_sys("last_value");
    if (held != held_last)
        held_often = 0;
    py.fetch(&before[0], &before[1], &before[2]);
    if (held && held != py.none && held_often++ < MOST)
        note(held);
    for (size_t i = 0; i < sizeof live / sizeof *live; i++) {
        struct live *l = &live[i];
        object *raised = l->exception && !l->recorded ? py.traceback(l->exception) : NULL;
        if (!raised)
            continue;
        l->recorded = true;
        drop(raised);
        if (l->exception != held)
            note(l->exception);
    }
    py.restore(before[0], before[1], before[2]);
    held_last = held;
    drop(type);
    drop(value);
    drop(trace);
}

void uk_caught_tell(struct uk_thread *t)
{
    __atomic_store_n(&since, 0, __ATOMIC_RELAXED);
    if (UK_LIKELY(__atomic_load_n(&nkept, __ATOMIC_ACQUIRE) == 0) || !take())
        return;
    for (unsigned i = 0; i < nkept; i++) {
        const struct caught *c = &kept[i];
        const uint64_t lengths[] = {strlen(c->type), strlen(c->text), c->n};
        struct uk_chunk chunks[5 + 3 * FRAMES] = {{&lengths[0], 1, UK_WORDS},
                                                  {c->type, lengths[0], UK_BYTES},
                                                  {&lengths[1], 1, UK_WORDS},
                                                  {c->text, lengths[1], UK_BYTES},
                                                  {&c->n, 1, UK_WORDS}};
        uint64_t files[FRAMES];
        unsigned n = 5;
        for (size_t k = 0; k < c->n; k++) {
            files[k] = strlen(c->at[k].file);
            chunks[n++] = (struct uk_chunk){&c->at[k].line, 1, UK_WORDS};
            chunks[n++] = (struct uk_chunk){&files[k], 1, UK_WORDS};
            chunks[n++] = (struct uk_chunk){c->at[k].file, files[k], UK_BYTES};
        }
        uk_long(t, UK_DATA_CAUGHT, UK_DATA, 0, chunks, n);
    }
    __atomic_store_n(&nkept, 0, __ATOMIC_RELEASE);
    give();
}
