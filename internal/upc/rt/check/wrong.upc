/*
 * Findings about one thread: arguments, order, locks.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

enum { MOST_WARNINGS = 64 };

/* A warning is reported once at each place. */
static int reported_already(const struct upck_site *site, const char *id)
{
    static struct {
        const struct upck_site *site;
        const char *id;
    } reported[MOST_WARNINGS];
    static int n;
    for (int i = 0; i < n; i++)
        if (reported[i].site == site && strcmp(reported[i].id, id) == 0)
            return 1;
    if (n < MOST_WARNINGS) {
        reported[n].site = site;
        reported[n++].id = id;
    }
    return 0;
}

static const char *code_of(const char *id, int severity, int arg)
{
    if (severity == UPCK_WARNING)
        return UPCK_CODE_SUSPICIOUS;
    if (id && (strncmp(id, "UNLK-", 5) == 0 || strcmp(id, "LOCK-04") == 0 || strcmp(id, "LATT-04") == 0))
        return UPCK_CODE_LOCK;
    return arg < 0 ? UPCK_CODE_ORDER : UPCK_CODE_ARGUMENT;
}

/* "nbytes is 0" becomes "nbytes (`sizeof(int)*n`) is 0". */
static void with_text(struct upck_finding *f, const struct upck_site *site, int arg, const char *words)
{
    size_t name = strcspn(words, " ,");
    const char *text = arg >= 0 && arg < site->nargs && site->args ? site->args[arg].text : NULL;
    if (!text || strlen(text) > 300)
        upck_say(f, "%s.", words);
    else
        upck_say(f, "%.*s (`%s`)%s.", (int)name, words, text, words + name);
}

static int has_word(const char *words, const char *name)
{
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t n = strlen(name);
    for (const char *p = words; *p; p += strspn(p, letters)) {
        p += strcspn(p, letters);
        if (strspn(p, letters) == n && strncmp(p, name, n) == 0)
            return 1;
    }
    return 0;
}

/* Of the variables in the argument, and in others that the words name. */
static void put_declarations(const struct upck_site *site, int arg, const char *words)
{
    const struct upck_function *f = arg >= 0 ? upck_function_named(site->call) : NULL;
    upck_put_declarations(site, arg);
    for (int i = 0; f && i < f->nparams; i++)
        if (i != arg && has_word(words, f->params[i]))
            upck_put_declarations(site, i);
}

void upck_wrong(const struct upck_site *site, const char *id, int severity, int arg, const char *format, ...)
{
    char words[700], place[UPCK_KEY];
    struct upck_finding f = {.severity = severity == UPCK_WARNING ? "warning" : "error",
                             .code = code_of(id, severity, arg),
                             .id = id,
                             .thread = MYTHREAD,
                             .site = site,
                             .nth = arg + 1,
                             .hint = id ? upck_hint(id) : NULL};
    va_list args;
    if ((upck_without & UPCK_NO_ARGUMENTS && arg >= 0) ||
        (severity == UPCK_WARNING && id && reported_already(site, id)))
        return;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    upck_say(&f, "Thread %d is at %s: ", MYTHREAD, site->call);
    with_text(&f, site, arg, words);
    upck_text_place(place, sizeof place, site);
    upck_gate();
    upck_put_head(&f);
    if (site->file)
        upck_put("  at %s\n", place);
    put_declarations(site, arg, words);
    upck_put_calls();
    upck_tell(&f);
    if (severity == UPCK_ERROR && !upck_goes_on)
        upck_finish();
    upck_leave_gate();
}
