/* The ledgers of non-blocking transfers (ledger_transfers.upc). */
#ifndef UPCK_TRANSFERS_H
#define UPCK_TRANSFERS_H

#include "upck_args.h"

/* The object that ptr points to is used by a transfer of this thread that is under way. */
int upck_freed_in_flight(shared const void *ptr);
const struct upck_site *upck_in_flight(shared const void *ptr);
/*
 * Of ledger_files.upc: where the pending operation on the object began; warns of asynchronous operations that nobody
 * has waited for.
 */
const struct upck_site *upck_file_using(shared const void *ptr);
void upck_files_end(void);

#ifdef __UPC_NB__
#include <upc_nb.h>

int upck_complete(upc_handle_t);
/* A transfer of n bytes has begun; a private side is a null pointer. */
void upck_transfer_begun(upc_handle_t, shared const void *dst, shared const void *src, size_t n,
                         const struct upck_site *);
void upck_implicit_begun(shared const void *dst, shared const void *src, size_t n, const struct upck_site *);
/* UPCK_FINE, UPCK_FREED_HERE (synchronized already) or UPCK_NEVER. */
int upck_bad_handle(upc_handle_t);
void upck_transfer_ended(upc_handle_t, const struct upck_site *);
int upck_implicit_pending(void);
void upck_implicit_ended(void);
#endif

#endif
