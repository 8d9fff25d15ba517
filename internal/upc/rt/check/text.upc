/*
 * The text of a report, and how places and calls are written in it. A thread that reports nothing has no memory for
 * texts.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

enum { FIRST = 4096, MOST_DECLARATIONS = 16 };

static struct upck_text report;
static const char *declarations[MOST_DECLARATIONS]; /* that are in it */
static int ndeclarations;

void upck_add(struct upck_text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0)
        return;
    size_t wanted = t->used + (size_t)n + 1;
    if (wanted > t->size) {
        size_t size = wanted > 2 * t->size ? wanted + FIRST : 2 * t->size;
        char *more = realloc(t->text, size);
        if (!more)
            return;
        t->text = more;
        t->size = size;
    }
    vsnprintf(t->text + t->used, t->size - t->used, format, args);
    t->used += (size_t)n;
}

void upck_put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    upck_add(&report, format, args);
    va_end(args);
}

void upck_print(void)
{
    fflush(stdout);
    for (size_t done = 0; done < report.used;) {
        ssize_t n = write(STDERR_FILENO, report.text + done, report.used - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    report.used = 0;
}

void upck_forget(void)
{
    report.used = 0;
}

void upck_text_short(char *to, size_t size, const struct upck_site *site)
{
    if (site && site->file)
        snprintf(to, size, "%s", upck_spot(site));
    else
        snprintf(to, size, "-");
}

void upck_text_place(char *to, size_t size, const struct upck_site *site)
{
    if (site && site->file && site->function)
        snprintf(to, size, "%s (%s)", site->function, upck_spot(site));
    else
        upck_text_short(to, size, site);
}

static int is_statement(const char *call)
{
    static const char *const statements[] = {"upc_barrier", "upc_notify", "upc_wait", "upc_forall"};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strcmp(call, statements[i]) == 0)
            return 1;
    return 0;
}

/* What stands at a site is a function's name, or says what is done there: an access, arithmetic. */
static int is_function(const char *call)
{
    return !strchr(call, ' ') && strcmp(call, "arithmetic") != 0;
}

void upck_text_call(char *to, size_t size, const struct upck_site *site)
{
    size_t n = (size_t)snprintf(to, size, "%s", site->call);
    if (!site->nargs || !site->args || is_statement(site->call))
        return;
    int calls = is_function(site->call);
    for (int i = 0; i < site->nargs && n < size; i++)
        n += (size_t)snprintf(to + n, size - n, "%s%s%s",
                              i       ? ", "
                              : calls ? "("
                                      : " `",
                              site->args[i].text ? site->args[i].text : "?",
                              i < site->nargs - 1 ? ""
                              : calls             ? ")"
                                                  : "`");
}

void upck_put_declarations(const struct upck_site *site, int arg)
{
    if (arg < 0 || arg >= site->nargs || !site->args || !site->args[arg].decl)
        return;
    upck_put("  %s\n", site->args[arg].decl);
    if (ndeclarations < MOST_DECLARATIONS)
        declarations[ndeclarations++] = site->args[arg].decl;
}

const char *upck_declaration(int i)
{
    return i < ndeclarations ? declarations[i] : NULL;
}

void upck_say(struct upck_finding *f, const char *format, ...)
{
    size_t n = strlen(f->sentence);
    va_list args;
    va_start(args, format);
    vsnprintf(f->sentence + n, sizeof f->sentence - n, format, args);
    va_end(args);
}

void upck_put_head(const struct upck_finding *f)
{
    upck_put("unknot: %s: %s (manifest): %s", f->severity, f->code, f->sentence);
    if (f->id)
        upck_put(" [%s]", f->id);
    upck_put("\n");
}

void upck_tell(const struct upck_finding *f)
{
    if (upck_unchecked_objects)
        upck_put("  not checked: %s (compiled without upc-check)\n", upck_unchecked_objects);
    if (f->hint)
        upck_put("  hint: %s\n", f->hint);
    if (upck_json(f))
        upck_forget();
    else {
        upck_print();
        upck_failed |= strcmp(f->severity, "error") == 0;
    }
    ndeclarations = 0;
}
