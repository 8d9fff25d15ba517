/*
 * Findings as lines of JSON, in the file that UNKNOT_UPC_REPORT names: appended, each line in one piece.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

static struct upck_text line;

static void add(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	upck_add(&line, format, args);
	va_end(args);
}

static void add_text(const char *name, const char *text)
{
	add("\"%s\":\"", name);
	for (const char *p = text ? text : ""; *p; p++)
		if ((unsigned char)*p < ' ')
			add("\\u%04x", (unsigned)*p);
		else
			add(*p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
	add("\"");
}

static void add_thread(int t, const struct upck_finding *f)
{
	struct upck_row row;
	upck_row_of(t, &row);
	const struct upck_site *site = f->thread == t && f->site ? f->site : row.known ? &row.site : NULL;
	add("{\"thread\":%d,", t);
	add_text("state", f->thread == t ? "running" : row.state);
	if (site) {
		add(",");
		add_text("operation", site->call);
		add(",");
		add_text("function", site->function);
		add(",");
		add_text("file", site->file);
		add(",\"line\":%d", site->line);
	}
	if (f->argument && f->values && f->values[t][0]) {
		add(",");
		add_text("argument", f->argument);
		add(",");
		add_text("value", f->values[t]);
	}
	add("}");
}

static void add_edges(const struct upck_chain *c)
{
	add(",\"edges\":[");
	for (int i = c->from; i < c->n; i++)
		add("%s{\"from\":%d,\"to\":%d,\"why\":\"%s\"}", i == c->from ? "" : ",", c->links[i].thread, c->links[i].next,
		    c->links[i].want ? "lock" : "ahead");
	if (c->end == UPCK_ENDS_COLLECTIVE)
		add(",{\"from\":%d,\"to\":%d,\"why\":\"collective\"}", c->last, c->missing);
	add("]");
}

void upck_json(const struct upck_finding *f)
{
	if (!upck_report_path)
		return;
	line.used = 0;
	add("{");
	add_text("code", f->code);
	add(",");
	add_text("severity", f->severity);
	add(",\"standing\":\"manifest\",");
	add_text("id", f->id);
	add(",");
	add_text("sentence", f->sentence);
	add(",");
	add_text("hint", f->hint);
	add(",\"threads\":[");
	for (int t = 0; t < THREADS; t++)
		if (f->thread < 0 || f->thread == t) {
			if (line.used && line.text[line.used - 1] == '}')
				add(",");
			add_thread(t, f);
		}
	add("]");
	if (f->chain)
		add_edges(f->chain);
	add("}\n");
	int fd = open(upck_report_path, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd < 0 || write(fd, line.text, line.used) != (ssize_t)line.used)
		fprintf(stderr, "unknot: warning: the finding could not be written to %.200s (UNKNOT_UPC_REPORT)\n", upck_report_path);
	if (fd >= 0)
		close(fd);
}
