// Python programs (mpi4py): the call site is the Python stack, and an uncaught exception is recorded. Python is never
// linked nor included: what is used of it is resolved by name in the process.
//
// Runs: uk_python_init at MPI_Init, uk_python_site in each recorded call of a process with Python, and with
// uk_python_holds where memory that an operation uses is freed, uk_python_lines in a call outside of MPI's life, hook
// for an exception that nobody has caught, uk_python_end at a thread's end.
//
// Never: asks the interpreter while another thread has its lock, which may be waiting in MPI for what this call does;
// nor asks an interpreter that is being torn down, which ends the thread. In a call it runs nothing of the program's,
// unless Python collects garbage meanwhile: what that calls of MPI passes unrecorded. The hook does (the exception's
// __str__), as the one that it stands before will, with the gate open. It locks nothing of its own. Without memory, a
// call has the site that it has in C.
#define _GNU_SOURCE // for RTLD_DEFAULT, which older C libraries do not have without
#include "process/process.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct object object; // PyObject, and what begins with one

// PyMethodDef of Python's stable ABI.
struct method {
    const char *name;
    object *(*run)(object *, object *);
    int flags; // 1: METH_VARARGS
    const char *doc;
};

static struct {
    int (*is_initialized)(void);
    int (*is_finalizing)(void);
    object *(*this_thread)(void);
    int (*holds)(void);
    object *(*holder)(void); // NULL if this Python does not tell
    object *(*interpreter)(void);
    object *(*threads)(object *);
    object *(*next_thread)(object *);
    int (*ensure)(void);
    void (*release)(int);
    object *(*current_frame)(void);
    object *(*back)(object *);
    object *(*code)(object *);
    int (*line)(object *);
    void (*incref)(object *);
    void (*decref)(object *);
    object *(*attr)(object *, const char *);
    object *(*str)(object *);
    const char *(*utf8)(object *);
    long (*as_long)(object *);
    void (*clear)(void);
    object *(*get_sys)(const char *);
    int (*set_sys)(const char *, object *);
    object *(*make_function)(struct method *, object *, object *);
    object *(*item)(object *, ssize_t);
    object *(*call)(object *, object *);
} py;

bool uk_python_resolve(const struct uk_python_name *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        void *found = dlsym(RTLD_DEFAULT, all[i].name);
        if (!found && all[i].older)
            found = dlsym(RTLD_DEFAULT, all[i].older);
        if (!found)
            return false;
        memcpy(all[i].to, &found, sizeof found);
    }
    return true;
}

bool uk_python_intern(const struct uk_python_name *all, size_t n)
{
    object *(*intern)(const char *);
    void (*clear)(void);
    const struct uk_python_name functions[] = {{&intern, "PyUnicode_InternFromString", NULL},
                                               {&clear, "PyErr_Clear", NULL}};
    if (!uk_python_resolve(functions, sizeof functions / sizeof *functions))
        return false;
    for (size_t i = 0; i < n; i++) {
        object *s = intern(all[i].name);
        if (!s) {
            clear();
            return false;
        }
        memcpy(all[i].to, &s, sizeof s);
    }
    return true;
}

static bool resolve(void)
{
    const struct uk_python_name all[] = {
        {&py.is_initialized, "Py_IsInitialized", NULL},
        {&py.this_thread, "PyGILState_GetThisThreadState", NULL},
        {&py.holds, "PyGILState_Check", NULL},
        {&py.interpreter, "PyInterpreterState_Main", NULL},
        {&py.threads, "PyInterpreterState_ThreadHead", NULL},
        {&py.next_thread, "PyThreadState_Next", NULL},
        {&py.ensure, "PyGILState_Ensure", NULL},
        {&py.release, "PyGILState_Release", NULL},
        {&py.current_frame, "PyEval_GetFrame", NULL},
        {&py.back, "PyFrame_GetBack", NULL},
        {&py.code, "PyFrame_GetCode", NULL},
        {&py.line, "PyFrame_GetLineNumber", NULL},
        {&py.incref, "Py_IncRef", NULL},
        {&py.decref, "Py_DecRef", NULL},
        {&py.attr, "PyObject_GetAttrString", NULL},
        {&py.str, "PyObject_Str", NULL},
        {&py.utf8, "PyUnicode_AsUTF8", NULL},
        {&py.as_long, "PyLong_AsLong", NULL},
        {&py.clear, "PyErr_Clear", NULL},
        {&py.get_sys, "PySys_GetObject", NULL},
        {&py.set_sys, "PySys_SetObject", NULL},
        {&py.make_function, "PyCFunction_NewEx", NULL},
        {&py.item, "PyTuple_GetItem", NULL},
        {&py.call, "PyObject_CallObject", NULL},
        {&py.is_finalizing, "Py_IsFinalizing", "_Py_IsFinalizing"}, // public since 3.13
    };
    if (!uk_python_resolve(all, sizeof all / sizeof *all))
        return false;
    // Until 3.11 this tells of the whole process, later of the thread that asks.
    const unsigned long *version = dlsym(RTLD_DEFAULT, "Py_Version"); // since 3.11
    void *holder = version && *version >> 16 > 0x030b ? NULL : dlsym(RTLD_DEFAULT, "_PyThreadState_UncheckedGet");
    memcpy(&py.holder, &holder, sizeof holder);
    return true;
}

// Whether the interpreter may be asked from this thread: it is up, is not being torn down (where taking its lock ends
// the thread), and knows the thread.
static bool alive(void)
{
    return py.is_initialized() && !py.is_finalizing() && py.this_thread();
}

// Whether this thread can have the interpreter's lock without waiting for it: another thread may hold it inside of an
// MPI call, and wait there for what this one is about to do.
static bool lock_is_free(void)
{
    if (py.holds())
        return true;
    if (py.holder)
        return !py.holder();
    return !py.next_thread(py.threads(py.interpreter()));
}

// Words of a record in the making. Failed: there was no memory for some of them.
struct text {
    uint64_t *at;
    size_t n, room;
    bool failed;
};

static void add(struct text *x, uint64_t word)
{
    if (x->n == x->room && !x->failed) {
        uint64_t *at = realloc(x->at, (2 * x->room + 64) * sizeof *at);
        x->failed = at == NULL;
        if (at) {
            x->at = at;
            x->room = 2 * x->room + 64;
        }
    }
    if (x->failed)
        return;
    x->at[x->n++] = word;
}

static void add_string(struct text *x, const char *s)
{
    size_t length = strlen(s);
    add(x, length);
    for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, s + i, length - i < sizeof word ? length - i : sizeof word);
        add(x, word);
    }
}

// Adds a str object, and gives up the reference to it; anything else counts as an empty one.
static void add_object(struct text *x, object *s)
{
    const char *utf8 = s ? py.utf8(s) : NULL;
    if (!utf8)
        py.clear();
    add_string(x, utf8 ? utf8 : "");
    if (s)
        py.decref(s);
}

// False if it could not be written.
static bool write_text(struct uk_thread *t, unsigned id, struct text *x)
{
    struct uk_chunk chunk = {x->at, x->n, UK_WORDS};
    if (!x->failed)
        uk_long(t, id, UK_DATA, 0, &chunk, 1);
    free(x->at);
    return !x->failed;
}

// Stacks that this thread has recorded: an open hash table from the stack's hash to its number. Numbers are the
// process's, tables the thread's, so that each ring explains the sites in it before they occur.
struct uk_sites {
    size_t n, room;
    struct {
        uint64_t key, site;
    } at[];
};
static __thread struct uk_sites *sites __attribute__((tls_model("initial-exec")));
static uint64_t last_site;

#define DEEPEST 48

static uint64_t *slot_of(struct uk_sites *s, uint64_t key)
{
    size_t i = key & (s->room - 1);
    while (s->at[i].key != 0 && s->at[i].key != key)
        i = (i + 1) & (s->room - 1);
    s->at[i].key = key;
    return &s->at[i].site;
}

// The place for the number of a stack, 0 as long as it has none; NULL if there is no memory for it.
static uint64_t *find_site(uint64_t key)
{
    if (!sites || 2 * sites->n >= sites->room) {
        size_t room = sites ? 2 * sites->room : 256;
        struct uk_sites *bigger = calloc(1, sizeof *bigger + room * sizeof bigger->at[0]);
        if (!bigger)
            return NULL;
        bigger->room = room;
        for (size_t i = 0; sites && i < sites->room; i++)
            if (sites->at[i].site != 0) {
                *slot_of(bigger, sites->at[i].key) = sites->at[i].site;
                bigger->n++;
            }
        free(sites);
        sites = bigger;
    }
    return slot_of(sites, key);
}

// Called by this thread's end.
void uk_python_end(void)
{
    free(sites);
    sites = NULL;
}

bool uk_python_holds(void)
{
    return alive() && py.holds();
}

static uint64_t site_of(struct uk_thread *t, void *ra)
{
    if (!alive() || !lock_is_free())
        return (uint64_t)(uintptr_t)ra;
    int keep = errno, state = py.ensure();
    uk_caught_look();
    struct {
        object *code;
        uint64_t line;
    } stack[DEEPEST];
    size_t n = 0;
    uint64_t key = 0xcbf29ce484222325u;
    object *frame = py.current_frame();
    if (frame)
        py.incref(frame);
    while (frame && n < DEEPEST) {
        stack[n].code = py.code(frame);
        stack[n].line = (uint64_t)py.line(frame);
        key = (key ^ (uint64_t)(uintptr_t)stack[n].code) * 0x9e3779b97f4a7c15u;
        key = (key ^ key >> 29 ^ stack[n].line) * 0xbf58476d1ce4e5b9u;
        n++;
        object *outer = py.back(frame);
        py.decref(frame);
        frame = outer;
    }
    if (frame)
        py.decref(frame);
    uint64_t result = (uint64_t)(uintptr_t)ra;
    uint64_t *site = n > 0 ? find_site(key | 1) : NULL;
    bool new = site &&*site == 0, kept = false;
    if (new) {
        struct text x = {0};
        *site = UK_PYTHON_SITE | __atomic_add_fetch(&last_site, 1, __ATOMIC_RELAXED);
        sites->n++;
        add(&x, *site);
        add(&x, n);
        for (size_t i = 0; i < n; i++) {
            add(&x, stack[i].line);
            add_object(&x, py.attr(stack[i].code, "co_filename"));
            add_object(&x, py.attr(stack[i].code, "co_name"));
        }
        kept = write_text(t, UK_DATA_SITE, &x);
        if (!kept)
            *site = 0;
    }
    if (site && *site != 0)
        result = *site;
    // A code object whose address is part of a known key must not make room for another.
    for (size_t i = 0; !kept && i < n; i++)
        py.decref(stack[i].code);
    py.release(state);
    errno = keep;
    return result;
}

uint64_t uk_python_site(struct uk_thread *t, void *ra)
{
    if (!t->ring)
        return (uint64_t)(uintptr_t)ra;
    const uint64_t site = site_of(t, ra);
    uk_caught_tell(t);
    return site;
}

// An attribute of a code object that is fit to be a word in a line, or the rest of it; empty if it is not.
static object *word(object *code, const char *name, const char *none, const char **text)
{
    object *s = py.attr(code, name);
    *text = s ? py.utf8(s) : NULL;
    if (!*text)
        py.clear();
    if (!*text || strpbrk(*text, none))
        *text = "";
    return s;
}

size_t uk_python_lines(char *to, size_t room)
{
    size_t n = 0;
    if ((!uk_process.python && !resolve()) || !alive() || !lock_is_free())
        return 0;
    const int keep = errno, state = py.ensure();
    object *frame = py.current_frame();
    if (frame)
        py.incref(frame);
    for (bool whole = true; frame && whole;) {
        const char *name, *file;
        object *code = py.code(frame), *a = word(code, "co_name", " \n", &name),
               *b = word(code, "co_filename", "\n", &file);
        const int length = snprintf(to + n, room - n, "at %d %s %s\n", py.line(frame), name, file);
        whole = length > 0 && (size_t)length < room - n;
        if (whole)
            n += (size_t)length;
        object *mine[] = {a, b, code};
        for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
            if (mine[i])
                py.decref(mine[i]);
        object *outer = py.back(frame);
        py.decref(frame);
        frame = outer;
    }
    if (frame)
        py.decref(frame);
    py.release(state);
    errno = keep;
    return n;
}

static object *hook(object *original, object *args)
{
    struct uk_thread *t = &uk_self;
    if (uk_is_ours() && uk_process.state == UK_ON && t->gate == UK_OPEN) {
        struct text x = {0};
        object *type = py.item(args, 0), *value = py.item(args, 1), *trace = py.item(args, 2);
        add_object(&x, type ? py.attr(type, "__name__") : NULL);
        add_object(&x, value ? py.str(value) : NULL);
        py.clear();
        // The innermost entry of the traceback is where it was raised.
        object *inner = trace;
        if (inner)
            py.incref(inner);
        for (object *next; inner && (next = py.attr(inner, "tb_next")) != NULL;) {
            object *line = py.attr(next, "tb_lineno");
            if (!line) { // None: inner is the last
                py.decref(next);
                break;
            }
            py.decref(line);
            py.decref(inner);
            inner = next;
        }
        py.clear();
        object *line = inner ? py.attr(inner, "tb_lineno") : NULL;
        object *frame = inner ? py.attr(inner, "tb_frame") : NULL;
        object *code = frame ? py.attr(frame, "f_code") : NULL;
        add(&x, line ? (uint64_t)py.as_long(line) : 0);
        add_object(&x, code ? py.attr(code, "co_filename") : NULL);
        py.clear();
        object *mine[] = {inner, line, frame, code};
        for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
            if (mine[i])
                py.decref(mine[i]);
        write_text(t, UK_DATA_EXCEPT, &x);
    }
    return py.call(original, args);
}

void uk_python_init(void)
{
    if (!resolve() || !alive())
        return;
    static struct method excepthook = {"excepthook", hook, 1, NULL};
    int state = py.ensure();
    object *original = py.get_sys("excepthook");
    object *ours = original ? py.make_function(&excepthook, original, NULL) : NULL;
    if (ours) {
        py.set_sys("excepthook", ours);
        py.decref(ours);
    }
    object *flags = py.get_sys("abiflags"); // borrowed
    const char *text = flags ? py.utf8(flags) : NULL;
    if (text && !strchr(text, 't')) { // not of a Python without the lock
        uk_arrays_init();
        uk_caught_init();
    }
    py.clear();
    py.release(state);
    uk_process.python = 1;
}
