/* UPC 1.3: atomic operations. */
#ifndef __UPC_ATOMIC_H__
#define __UPC_ATOMIC_H__

#include <stddef.h>
#include <upc_types.h>

#define UPC_GET 512
#define UPC_SET 1024
#define UPC_CSWAP 2048
#define UPC_SUB 4096
#define UPC_INC 8192
#define UPC_DEC 16384

typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

#ifdef __UPC__ /* the run-time, in C, sees only values and types */
typedef shared struct __upc_atomicdomain upc_atomicdomain_t;

upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints);
void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr);
void upc_atomic_strict(upc_atomicdomain_t *domain, void *restrict fetch_ptr, upc_op_t op, shared void *restrict target,
                       const void *restrict operand1, const void *restrict operand2);
void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *restrict fetch_ptr, upc_op_t op, shared void *restrict target,
                        const void *restrict operand1, const void *restrict operand2);
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr);
#endif

#endif
