/* What the recording of accesses (races.c), of synchronisation (races_steps.c) and of sites (races_sites.c) share. */
#ifndef UPCR_RACES_H
#define UPCR_RACES_H
#include "rt.h"

/* The task whose accesses are being recorded, or 0. */
extern uint64_t upcr_record_running;

/* A record goes into the stream. */
void upcr_record_put(const struct upcr_record *r);
/* What has been put together of accesses goes into the stream. */
void upcr_record_spans(void);
/* An access of a library function, whose elements are as many bytes as a record has room for. */
void upcr_record_transfer(int kind, upcr_ptr p, unsigned long bytes, int flags, uint64_t op);
/* How many records the stream has had, UINT64_MAX if some accesses are not in it yet. */
uint64_t upcr_record_position(void);
/* The number of a site, 0 for none. */
unsigned upcr_record_site(const struct upcr_site *site);
/* The path of a file of the session. The next call overwrites it. */
const char *upcr_record_path(const char *name);
/* Writes down what sites and objects there are, for all threads of a node, and says whether that could be done. */
int upcr_record_describe(void);
#endif
