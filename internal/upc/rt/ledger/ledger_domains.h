/* The ledgers of atomicity domains (ledger_domains.upc). */
#ifndef UPCK_DOMAINS_H
#define UPCK_DOMAINS_H
#ifdef __UPC_ATOMIC__

#include <upc_atomic.h>

#include "upck_args.h"

#define UPCK_BITWISE (UPC_AND | UPC_OR | UPC_XOR)
#define UPCK_NUMERIC (UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN)
#define UPCK_ACCESSES (UPC_GET | UPC_SET | UPC_CSWAP)
#define UPCK_ATOMICS (UPCK_BITWISE | UPCK_NUMERIC | UPCK_ACCESSES)

void upck_domain_made(upc_atomicdomain_t *, upc_type_t type, upc_op_t ops, const struct upck_site *);
void upck_domain_freed(upc_atomicdomain_t *, const struct upck_site *);
/* The type and operations of a domain that is in use; 0 if they are not known. */
upc_type_t upck_domain_type(upc_atomicdomain_t *);
upc_op_t upck_domain_ops(upc_atomicdomain_t *);
/* Of a type of the eleven: its size and alignment, else 0; whether it is a floating one; its kind in upck_shape. */
size_t upck_atomic_size(upc_type_t);
int upck_atomic_floating(upc_type_t);
int upck_atomic_kind(upc_type_t);
/* A signalling NaN, or any NaN, in private memory. */
int upck_nan(upc_type_t, const void *value, int signalling);
const char *upck_op_name(upc_op_t);

#endif
#endif
