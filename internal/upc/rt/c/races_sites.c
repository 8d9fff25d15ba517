/* What sites and shared objects a program has, for the reports of data races (races.c). */
#include <stdio.h>
#include <unistd.h>

#include "races.h"

extern const struct upcr_named __start_upcr_names[] __attribute__((weak)), __stop_upcr_names[] __attribute__((weak));

static void text(FILE *f, const char *name, const char *value)
{
    fprintf(f, ",\"%s\":\"", name);
    for (; *value; value++)
        if ((unsigned char)*value < ' ')
            fprintf(f, "\\u%04x", (unsigned)*value);
        else
            fprintf(f, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    fputc('"', f);
}

static void describe_site(FILE *f, const struct upcr_site *s)
{
    fprintf(f, "{\"layout\":%d,\"site\":%u,\"line\":%d,\"column\":%d", UPCR_LAYOUT, upcr_record_site(s), s->line,
            s->column);
    text(f, "file", s->file);
    text(f, "function", s->function);
    text(f, "text", s->text);
    fputs("}\n", f);
}

static void describe_object(FILE *f, const struct upcr_named *n)
{
    fprintf(f, "{\"layout\":%d,\"line\":%d,\"column\":%d,\"offset\":%lu,\"bytes\":%lu,\"size\":%lu,\"block\":%lu",
            UPCR_LAYOUT, n->line, n->column, UPCR_OFFSET(n->object), n->bytes, n->size, n->block);
    text(f, "file", n->file);
    text(f, "object", n->name);
    text(f, "shape", n->shape);
    fputs("}\n", f);
}

int upcr_record_describe(void)
{
    char name[64];
    snprintf(name, sizeof name, UPCR_SITES_PREFIX "%d", (int)getpid());
    FILE *f = fopen(upcr_record_path(name), "we");
    if (!f)
        return 0;
    for (const struct upcr_site *s = upcr_sites_begin(); s < upcr_sites_end(); s++)
        describe_site(f, s);
    for (const struct upcr_named *n = __start_upcr_names; n < __stop_upcr_names; n++)
        describe_object(f, n);
    return fclose(f) == 0;
}
