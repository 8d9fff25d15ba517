/*
 * The words of reports: what the files that put them together share.
 */
#ifndef UPCK_REPORT_H
#define UPCK_REPORT_H

#include <stdarg.h>

#include "inner.h"

enum { UPCK_KEY = 200 };

/*
 * text.upc: a report is put together in memory and printed in one piece. A text grows as it must; without memory, it
 * ends.
 */
struct upck_text {
    char *text;
    size_t used, size;
};
void upck_add(struct upck_text *t, const char *format, va_list args);
void upck_put(const char *format, ...);
void upck_print(void);
void upck_forget(void);
void upck_text_place(char *to, size_t size, const struct upck_site *site); /* "main (a.upc:7)" */
void upck_text_call(char *to, size_t size, const struct upck_site *site);  /* "upc_all_fsync(fd)" */
void upck_text_short(char *to, size_t size, const struct upck_site *site); /* "a.upc:7" */
void upck_put_declarations(const struct upck_site *site, int arg);
const char *upck_declaration(int i); /* of those that have been put; 0 if there are no more */

/* groups.upc: threads of which the same is to be said. */
void upck_groups_start(void);
void upck_group(int thread, const char *format, ...);
int upck_groups(void);
const char *upck_group_key(int group);
int upck_group_first(int group);
int upck_in_group(int thread);
int upck_group_members(int group, char *to, size_t size); /* "threads 0, 2-3"; how many */

/* stack.upc */
const struct upck_site *upck_call(int i); /* of the calls around, from the innermost; 0 if there are no more */
void upck_put_calls(void);

/* table.upc */
struct upck_row {
    char state[40], what[96], place[UPCK_KEY];
    int known; /* site is not 0 */
    struct upck_site site;
};
void upck_row_of(int thread, struct upck_row *row);
void upck_put_table(void);

/* What a finding says, for people and as JSON. */
struct upck_finding {
    const char *severity, *code, *id, *hint;
    char sentence[2000];
    int thread;                   /* the only one that it is about, or -1 for all */
    const struct upck_site *site; /* of that one */
    const struct upck_chain *chain;
    int nth;              /* the argument that it is about, from 1, or 0 */
    const char *argument; /* and its values on the threads that have come so far, "" on others */
    char (*values)[UPCK_KEY];
    /* Not 0 for the threads that the sentence names, if it is not about all that are at something; or null. */
    const char *named;
};
void upck_say(struct upck_finding *f, const char *format, ...); /* more of the sentence */
void upck_put_head(const struct upck_finding *f);
/* Tells unknot run, or else prints what has been put; writes JSON. */
void upck_tell(const struct upck_finding *f);
int upck_json(const struct upck_finding *f); /* whether unknot run tells it */
int upck_json_end(int status);               /* whether unknot run knows that the program ends with this status */

#endif
