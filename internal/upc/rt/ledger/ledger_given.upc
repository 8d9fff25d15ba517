/*
 * What upc_all_fcntl gives with UPC_GET_FN and UPC_GET_HINTS: pointers into the run-time's own memory, which end with
 * the file and with the next call for it (optional libraries 7.4.3.5).
 */
#include "ledger_files.h"

#ifdef __UPC_IO__
enum { UPCK_GIVEN = 32 };

static struct upck_given {
    upc_file_t *fd;
    const void *value;
    const struct upck_site *from, *ended; /* ended: null while it can be used */
} upck_given[UPCK_GIVEN];
static unsigned upck_given_count;

void upck_ends_given(upc_file_t *fd, const struct upck_site *site)
{
    for (int i = 0; i < UPCK_GIVEN; i++)
        if (upck_given[i].value && upck_given[i].fd == fd && !upck_given[i].ended)
            upck_given[i].ended = site;
}

void upck_gives(upc_file_t *fd, int cmd, void *arg, int result, const struct upck_site *site)
{
    if (result < 0 || !arg || (cmd != UPC_GET_FN && cmd != UPC_GET_HINTS))
        return;
    const void *value = *(const void **)arg;
    for (int i = 0; i < UPCK_GIVEN; i++)
        if (upck_given[i].value == value)
            upck_given[i].value = 0; /* it is given again */
    upck_given[upck_given_count++ % UPCK_GIVEN] = (struct upck_given){fd, value, site, 0};
}

void upck_uses_given(const struct upck_site *site, const void *value)
{
    for (int i = 0; value && i < UPCK_GIVEN; i++) {
        const struct upck_given *g = &upck_given[i];
        if (g->value == value && g->ended)
            upck_wrong(site, "FCTL-18", UPCK_ERROR, 0,
                       "pointer is what upc_all_fcntl gave at %s, and ended with %s at %s", upck_spot(g->from),
                       g->ended->call, upck_spot(g->ended));
    }
}
#else
void upck_uses_given(const struct upck_site *site, const void *value)
{
    (void)site;
    (void)value;
}
#endif
