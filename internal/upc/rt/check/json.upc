/*
 * Findings as lines of JSON, appended in one piece: in the file that UNKNOT_UPC_REPORT names, and in that of `unknot
 * run`, which then tells them in place of the program.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "report.h"

static struct upck_text line;

/* How a line for unknot run begins: with its version. */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define WATCHED "{\"layout\":" TEXT(UPCK_LAYOUT) ","

static void add(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    upck_add(&line, format, args);
    va_end(args);
}

/* A member of an object, which is not its first unless one has just been opened. */
static void add_name(const char *name)
{
    add("%s\"%s\":", line.used > 0 && line.text[line.used - 1] != '{' ? "," : "", name);
}

static void add_quoted(const char *text)
{
    add("\"");
    for (const char *p = text ? text : ""; *p; p++)
        if ((unsigned char)*p < ' ')
            add("\\u%04x", (unsigned)*p);
        else
            add(*p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    add("\"");
}

static void add_text(const char *name, const char *text)
{
    add_name(name);
    add_quoted(text);
}

static void add_number(const char *name, int value)
{
    add_name(name);
    add("%d", value);
}

static void add_place(const struct upck_site *site)
{
    add_text("function", site->function);
    add_text("file", site->line > 0 ? site->file : NULL);
    add_number("line", site->line);
}

/* The argument that the finding is about: its name, its text in the source, where that is declared, its value. */
static void add_argument(int t, const struct upck_site *site, const struct upck_finding *f)
{
    int arg = f->nth - 1;
    if (arg >= 0 && site && site->args && arg < site->nargs) {
        if (site->args[arg].text)
            add_text("text", site->args[arg].text);
        if (site->args[arg].decl)
            add_text("declared", site->args[arg].decl);
    }
    if (f->argument && f->values && f->values[t][0]) {
        add_text("argument", f->argument);
        add_text("value", f->values[t]);
    }
}

static void add_thread(int t, const struct upck_finding *f)
{
    struct upck_row row;
    char call[UPCK_KEY];
    upck_row_of(t, &row);
    const struct upck_site *site = f->thread == t && f->site ? f->site : row.known ? &row.site : NULL;
    add("{");
    add_number("thread", t);
    add_text("state", f->thread == t ? "running" : row.state);
    if (site) {
        upck_text_call(call, sizeof call, site);
        add_text("operation", site->call);
        add_text("call", call);
        add_place(site);
    }
    add_argument(t, site, f);
    if (f->named && f->named[t]) {
        add_name("named");
        add("true");
    }
    add("}");
}

/*
 * The lock that a link of a chain is about: what it is called where it is waited for, and where its holder has taken
 * it.
 */
static void add_lock(const struct upck_link *l)
{
    struct upck_row row;
    upck_row_of(l->thread, &row);
    if (row.known && row.site.nargs && row.site.args) {
        add_text("lock", row.site.args[0].text);
        if (row.site.args[0].decl)
            add_text("declared", row.site.args[0].decl);
    }
    const struct upck_site *since = upck_site_at(upck_held_sites[(size_t)l->next * UPCK_HELD + (size_t)l->index]);
    if (since) {
        add_name("since");
        add("{");
        add_place(since);
        add("}");
    }
}

static void add_edges(const struct upck_chain *c)
{
    add_name("edges");
    add("[");
    for (int i = c->from; i < c->n; i++) {
        add(i == c->from ? "{" : ",{");
        add_number("from", c->links[i].thread);
        add_number("to", c->links[i].next);
        add_text("why", c->links[i].want ? "lock" : "ahead");
        if (c->links[i].want)
            add_lock(&c->links[i]);
        add("}");
    }
    if (c->end == UPCK_ENDS_COLLECTIVE)
        add("%s{\"from\":%d,\"to\":%d,\"why\":\"collective\"}", c->n > c->from ? "," : "", c->last, c->missing);
    add("]");
}

static void add_calls(void)
{
    const struct upck_site *site;
    add_name("calls");
    add("[");
    for (int i = 0; (site = upck_call(i)); i++) {
        add(i ? ",{" : "{");
        add_place(site);
        add("}");
    }
    add("]");
}

static void add_declarations(void)
{
    const char *text;
    add_name("declarations");
    add("[");
    for (int i = 0; (text = upck_declaration(i)); i++) {
        if (i)
            add(",");
        add_quoted(text);
    }
    add("]");
}

/* Appends the line to a file with another beginning in place of its brace, and says whether all of it is there. */
static int append(const char *path, int flags, const char *begin)
{
    struct iovec parts[] = {{(void *)begin, strlen(begin)}, {line.text + 1, line.used - 1}};
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666);
    int fine = fd >= 0 && line.used > 0 && writev(fd, parts, 2) == (ssize_t)(parts[0].iov_len + parts[1].iov_len);
    if (fd >= 0)
        close(fd);
    return fine;
}

int upck_json(const struct upck_finding *f)
{
    if (!upck_report_path && !upck_watcher_path)
        return 0;
    line.used = 0;
    add("{");
    add_text("code", f->code);
    add_text("severity", f->severity);
    add_text("standing", "manifest");
    add_text("id", f->id);
    add_text("sentence", f->sentence);
    add_text("hint", f->hint);
    add_number("of", THREADS);
    add_number("by", MYTHREAD);
    add_name("threads");
    add("[");
    for (int t = 0; t < THREADS; t++)
        if (f->thread < 0 || f->thread == t) {
            if (line.used > 0 && line.text[line.used - 1] == '}')
                add(",");
            add_thread(t, f);
        }
    add("]");
    if (f->chain)
        add_edges(f->chain);
    add_calls();
    add_declarations();
    if (upck_unchecked_objects)
        add_text("unchecked", upck_unchecked_objects);
    add("}\n");
    if (upck_report_path && !append(upck_report_path, O_CREAT, "{"))
        fprintf(stderr, "unknot: warning: the finding could not be written to %.200s (UNKNOT_UPC_REPORT)\n",
                upck_report_path);
    return upck_watcher_path && append(upck_watcher_path, 0, WATCHED);
}

int upck_json_end(int status)
{
    line.used = 0;
    add("{");
    add_number("end", status);
    add("}\n");
    return upck_watcher_path && append(upck_watcher_path, 0, WATCHED);
}
