/*
 * The operators of reductions for one type. Include it with TYPE, NAME (the letters of the function), and INTEGER, 1 if
 * the type has bit-wise operators. It defines fold_NAME and scan_NAME, static.
 */
#define OP_GLUE_(a, b) a##b
#define OP_GLUE(a, b) OP_GLUE_(a, b)
#define FOLD OP_GLUE(fold_, NAME)
#define ONE OP_GLUE(one_, NAME)

/* One application. For types without bit-wise operators those are refused before. */
static inline __attribute__((always_inline)) TYPE ONE(int op, TYPE (*func)(TYPE, TYPE), TYPE a, TYPE b)
{
    switch (op) {
    case UPC_ADD:
        return (TYPE)(a + b);
    case UPC_MULT:
        return (TYPE)(a * b);
#if INTEGER
    case UPC_AND:
        return (TYPE)(a & b);
    case UPC_OR:
        return (TYPE)(a | b);
    case UPC_XOR:
        return (TYPE)(a ^ b);
#endif
    case UPC_LOGAND:
        return (TYPE)(a && b);
    case UPC_LOGOR:
        return (TYPE)(a || b);
    case UPC_MIN:
        return b < a ? b : a;
    case UPC_MAX:
        return b > a ? b : a;
    default:
        return func(a, b);
    }
}

#define OP_LOOP(op)                         \
    case op:                                \
        for (size_t i = 0; i < n; i++)      \
            acc = ONE(op, func, acc, a[i]); \
        return acc
/* acc op a[0] op a[1] …, with the choice of the operator outside of the loop. */
static TYPE FOLD(int op, TYPE (*func)(TYPE, TYPE), TYPE acc, const TYPE *a, size_t n)
{
    switch (op) {
        OP_LOOP(UPC_ADD);
        OP_LOOP(UPC_MULT);
#if INTEGER
        OP_LOOP(UPC_AND);
        OP_LOOP(UPC_OR);
        OP_LOOP(UPC_XOR);
#endif
        OP_LOOP(UPC_LOGAND);
        OP_LOOP(UPC_LOGOR);
        OP_LOOP(UPC_MIN);
        OP_LOOP(UPC_MAX);
    default:
        for (size_t i = 0; i < n; i++)
            acc = func(acc, a[i]);
        return acc;
    }
}
#undef OP_LOOP
