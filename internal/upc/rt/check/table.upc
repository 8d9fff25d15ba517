/*
 * What each thread is at, as it says itself.
 */
#include <stdio.h>
#include <string.h>

#include "report.h"

void upck_row_of(int thread, struct upck_row *row)
{
    static const char *const states[] = {UPCK_DOING_WORDS};
    struct upck_status s;
    (void)upck_count[thread]; /* strict, so that what follows is what the thread has written before */
    upc_memget(&s, &upck_statuses[thread], sizeof s);
    const struct upck_site *site = upck_site_at(s.site);
    memset(row, 0, sizeof *row);
    snprintf(row->state, sizeof row->state, "%s", s.doing >= 0 && s.doing <= UPCK_ENDED ? states[s.doing] : "-");
    upck_text_place(row->place, sizeof row->place, site);
    row->known = site != NULL;
    if (!site) {
        snprintf(row->what, sizeof row->what, "-");
        return;
    }
    row->site = *site;
    char call[80];
    upck_text_call(call, sizeof call, site);
    snprintf(row->what, sizeof row->what, "%s%s", s.doing == UPCK_RUNNING ? "after " : "", call);
}

void upck_put_table(void)
{
    struct upck_row row;
    char members[UPCK_KEY];
    int width[3] = {7, 5, 9};
    upck_groups_start();
    for (int t = 0; t < THREADS; t++) {
        upck_row_of(t, &row);
        upck_group(t, "%s\t%s\t%s", row.state, row.what, row.place);
    }
    for (int g = 0; g < upck_groups(); g++) {
        upck_row_of(upck_group_first(g), &row);
        upck_group_members(g, members, sizeof members);
        int w[3] = {(int)strlen(strchr(members, ' ') + 1), (int)strlen(row.state), (int)strlen(row.what)};
        for (int i = 0; i < 3; i++)
            width[i] = w[i] > width[i] && w[i] <= 60 ? w[i] : width[i];
    }
    upck_put("\n  %-*s  %-*s  %-*s  %s\n", width[0], "threads", width[1], "state", width[2], "operation", "place");
    for (int g = 0; g < upck_groups(); g++) {
        upck_row_of(upck_group_first(g), &row);
        upck_group_members(g, members, sizeof members);
        upck_put("  %-*s  %-*s  %-*s  %s\n", width[0], strchr(members, ' ') + 1, width[1], row.state, width[2],
                 row.what, row.place);
    }
    upck_put("\n");
}
