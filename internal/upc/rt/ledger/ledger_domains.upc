/*
 * The ledgers of atomicity domains. They are made and freed by all threads, so each has the whole ledger.
 */
#include "ledger_domains.h"
#ifdef __UPC_ATOMIC__

#include <stdlib.h>
#include <string.h>

struct upck_domain {
    struct upck_domain *next;
    upc_atomicdomain_t *domain;
    upc_type_t type;
    upc_op_t ops;
};

static struct upck_domain *upck_domains;

static struct upck_domain *upck_domain(upc_atomicdomain_t *domain)
{
    struct upck_domain *d = upck_domains;
    while (d && d->domain != domain)
        d = d->next;
    return d;
}

void upck_domain_made(upc_atomicdomain_t *domain, upc_type_t type, upc_op_t ops, const struct upck_site *site)
{
    if (!domain)
        return;
    struct upck_domain *d = upck_domain(domain);
    if (!d) {
        d = calloc(1, sizeof *d);
        if (!d)
            return;
        d->next = upck_domains;
        upck_domains = d;
    }
    d->domain = domain;
    d->type = type;
    d->ops = ops;
    upck_allocated((shared void *)domain, 1, 1, site, UPCK_DOMAIN | UPCK_TOGETHER);
}

void upck_domain_freed(upc_atomicdomain_t *domain, const struct upck_site *site)
{
    struct upck_domain *d = domain ? upck_domain(domain) : 0;
    if (d) {
        d->type = 0;
        d->ops = 0;
        upck_freed((shared void *)domain, site, 1);
    }
}

upc_type_t upck_domain_type(upc_atomicdomain_t *domain)
{
    struct upck_domain *d = domain ? upck_domain(domain) : 0;
    return d ? d->type : 0;
}

upc_op_t upck_domain_ops(upc_atomicdomain_t *domain)
{
    struct upck_domain *d = domain ? upck_domain(domain) : 0;
    return d ? d->ops : 0;
}

size_t upck_atomic_size(upc_type_t type)
{
    switch (type) {
    case UPC_INT:
    case UPC_UINT:
        return sizeof(int);
    case UPC_LONG:
    case UPC_ULONG:
        return sizeof(long);
    case UPC_INT32:
    case UPC_UINT32:
        return 4;
    case UPC_INT64:
    case UPC_UINT64:
        return 8;
    case UPC_FLOAT:
        return sizeof(float);
    case UPC_DOUBLE:
        return sizeof(double);
    case UPC_PTS:
        return sizeof(shared void *);
    }
    return 0;
}

int upck_atomic_floating(upc_type_t type)
{
    return type == UPC_FLOAT || type == UPC_DOUBLE;
}

int upck_atomic_kind(upc_type_t type)
{
    return type == UPC_FLOAT ? UPCK_F : type == UPC_DOUBLE ? UPCK_D : UPCK_I;
}

int upck_nan(upc_type_t type, const void *value, int signalling)
{
    if (!value || !upck_atomic_floating(type))
        return 0;
    if (type == UPC_FLOAT) {
        uint32_t bits;
        memcpy(&bits, value, sizeof bits);
        return (bits & 0x7fffffff) > 0x7f800000 && !(signalling && (bits & 0x00400000));
    }
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000 && !(signalling && (bits & 0x0008000000000000));
}

const char *upck_op_name(upc_op_t op)
{
    switch (op) {
    case UPC_ADD:
        return "UPC_ADD";
    case UPC_MULT:
        return "UPC_MULT";
    case UPC_AND:
        return "UPC_AND";
    case UPC_OR:
        return "UPC_OR";
    case UPC_XOR:
        return "UPC_XOR";
    case UPC_LOGAND:
        return "UPC_LOGAND";
    case UPC_LOGOR:
        return "UPC_LOGOR";
    case UPC_MIN:
        return "UPC_MIN";
    case UPC_MAX:
        return "UPC_MAX";
    case UPC_GET:
        return "UPC_GET";
    case UPC_SET:
        return "UPC_SET";
    case UPC_CSWAP:
        return "UPC_CSWAP";
    case UPC_SUB:
        return "UPC_SUB";
    case UPC_INC:
        return "UPC_INC";
    case UPC_DEC:
        return "UPC_DEC";
    }
    return "several operations";
}

#endif
