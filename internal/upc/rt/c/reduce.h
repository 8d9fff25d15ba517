/*
 * upc_all_reduceT and upc_all_prefix_reduceT (UPC 1.3, 7.6.3) for one type: a template, included by reduce.c.
 *
 * A thread folds its blocks, each thread's result is exchanged, and the owner of the destination folds those. If the
 * order of operands counts, each block has a separate result, and all these are scanned in the order of the blocks; so
 * are prefixes.
 */
#include "operators.h"

#define REDUCE OP_GLUE(upc_all_reduce, NAME)
#define PREFIX OP_GLUE(upc_all_prefix_reduce, NAME)
#define OWN OP_GLUE(own_, NAME)
#define TOTAL OP_GLUE(total_, NAME)
#define SCAN_ROWS OP_GLUE(scan_rows_, NAME)
#define BLOCK_RESULTS OP_GLUE(block_results_, NAME)
#define STRING_(x) #x
#define STRING(x) STRING_(x)

void REDUCE(upcr_ptr dst, upcr_ptr src, int op, size_t count, size_t size, TYPE (*func)(TYPE, TYPE), int flags);
void PREFIX(upcr_ptr dst, upcr_ptr src, int op, size_t count, size_t size, TYPE (*func)(TYPE, TYPE), int flags);

/* The result of all my blocks, for operators that do not look at the order. */
static struct upcr_part OWN(const struct upcr_blocks *b, int op, TYPE (*func)(TYPE, TYPE)) {
    struct upcr_part part = {0};
    TYPE acc = 0;
    for (size_t i = upcr_block_mine(b); i < b->blocks; i += (size_t)upcr_threads) {
        const TYPE *a = upcr_block_at(b, b->base, i);
        size_t n = upcr_block_count(b, i);
        acc = part.there ? FOLD(op, func, acc, a, n) : FOLD(op, func, a[0], a + 1, n - 1);
        part.there = 1;
    }
    memcpy(part.value, &acc, sizeof acc);
    return part;
}

/* Folds the parts of threads from up to before to. */
static struct upcr_part
TOTAL(const struct upcr_part *all, int from, int to, int op, TYPE (*func)(TYPE, TYPE)) {
    struct upcr_part total = {0};
    for (int t = from; t < to; t++) {
        TYPE one, acc;
        if (!all[t].there)
            continue;
        memcpy(&one, all[t].value, sizeof one);
        memcpy(&acc, total.value, sizeof acc);
        acc = total.there ? ONE(op, func, acc, one) : one;
        memcpy(total.value, &acc, sizeof acc);
        total.there = 1;
    }
    return total;
}

/* Each block's result into my part of the scratch, at its row. */
static void
BLOCK_RESULTS(const struct upcr_blocks *b, int op, TYPE (*func)(TYPE, TYPE), TYPE *results)
{
    for (size_t i = upcr_block_mine(b), row = 0; i < b->blocks; i += (size_t)upcr_threads, row++) {
        const TYPE *a = upcr_block_at(b, b->base, i);
        results[row] = FOLD(op, func, a[0], a + 1, upcr_block_count(b, i) - 1);
    }
}

/* A row has one block of each thread, beginning with that of block 0. Scans the results of my share of the rows:
   each block's becomes that of all blocks before it, except block 0's, which has none. Gives the total of all
   blocks. */
static struct upcr_part SCAN_ROWS(const struct upcr_blocks *b, int op, TYPE (*func)(TYPE, TYPE), upcr_ptr scratch) {
    size_t threads = (size_t)upcr_threads, rows = (b->blocks + threads - 1) / threads;
    size_t from = rows * (size_t)upcr_thread / threads, to = rows * ((size_t)upcr_thread + 1) / threads,
           mine = to - from;
    TYPE *a = upcr_scratch(mine * threads * sizeof *a), acc = 0;
    struct upcr_part part = {0};
    for (size_t k = 0; k < threads && mine; k++)
        upcr_get(a + k * mine, upcr_make(((size_t)b->first + k) % threads, 0, upcr_offset(scratch) + from * sizeof *a),
                 mine * sizeof *a);
    for (size_t i = from * threads; i < to * threads && i < b->blocks; i++) {
        TYPE one = a[i % threads * mine + (i / threads - from)];
        acc = part.there ? ONE(op, func, acc, one) : one;
        part.there = 1;
    }
    memcpy(part.value, &acc, sizeof acc);
    static struct upcr_part all[UPCR_MAX_THREADS];
    upcr_parts(&part, all);
    struct upcr_part before = TOTAL(all, 0, upcr_thread, op, func);
    memcpy(&acc, before.value, sizeof acc);
    for (size_t i = from * threads; i < to * threads && i < b->blocks; i++) {
        TYPE *at = &a[i % threads * mine + (i / threads - from)], one = *at;
        *at = acc;
        acc = before.there ? ONE(op, func, acc, one) : one;
        before.there = 1;
    }
    for (size_t k = 0; k < threads && mine; k++)
        upcr_put(upcr_make(((size_t)b->first + k) % threads, 0, upcr_offset(scratch) + from * sizeof *a), a + k * mine,
                 mine * sizeof *a);
    free(a);
    return TOTAL(all, 0, upcr_threads, op, func);
}

void REDUCE(upcr_ptr dst, upcr_ptr src, int op, size_t count, size_t size, TYPE (*func)(TYPE, TYPE), int flags)
{
    static struct upcr_part all[UPCR_MAX_THREADS];
    upcr_check_op("upc_all_reduce" STRING(NAME), op, INTEGER, func != NULL);
    struct upcr_blocks b = upcr_blocks_of(src, count, size, sizeof(TYPE));
    struct upcr_part total;
    upcr_enter(flags);
    upcr_record_source(upcr_is_mine(dst) ? UPCR_EVERYBODY : -1);
    upcr_record_blocks(&b, src, 0);
    upcr_record_gets(upcr_resetphase(dst), sizeof(TYPE));
    if (op == UPC_NONCOMM_FUNC) {
        upcr_ptr scratch = upcr_block_scratch(&b);
        BLOCK_RESULTS(&b, op, func, upcr_own(scratch));
        upcr_barrier_inner();
        total = SCAN_ROWS(&b, op, func, scratch);
        upcr_scratch_done(scratch);
    } else {
        struct upcr_part mine = OWN(&b, op, func);
        upcr_parts(&mine, all);
        total = TOTAL(all, 0, upcr_threads, op, func);
    }
    if (upcr_is_mine(dst) && total.there)
        memcpy(upcr_own(dst), total.value, sizeof(TYPE));
    upcr_leave(flags);
}

void PREFIX(upcr_ptr dst, upcr_ptr src, int op, size_t count, size_t size, TYPE (*func)(TYPE, TYPE), int flags)
{
    upcr_check_op("upc_all_prefix_reduce" STRING(NAME), op, INTEGER, func != NULL);
    upcr_check_shape("upc_all_prefix_reduce" STRING(NAME), dst, src, size);
    struct upcr_blocks b = upcr_blocks_of(src, count, size, sizeof(TYPE));
    upcr_enter(flags);
    upcr_record_blocks(&b, src, 0);
    upcr_record_blocks(&b, dst, 1);
    upcr_ptr scratch = upcr_block_scratch(&b);
    TYPE *results = upcr_own(scratch);
    BLOCK_RESULTS(&b, op, func, results);
    upcr_barrier_inner();
    SCAN_ROWS(&b, op, func, scratch);
    upcr_barrier_inner();
    for (size_t i = upcr_block_mine(&b), row = 0; i < b.blocks; i += (size_t)upcr_threads, row++) {
        const TYPE *from = upcr_block_at(&b, src, i);
        TYPE *to = upcr_block_at(&b, dst, i), acc = i ? ONE(op, func, results[row], from[0]) : from[0];
        to[0] = acc;
        for (size_t k = 1, n = upcr_block_count(&b, i); k < n; k++)
            to[k] = acc = ONE(op, func, acc, from[k]);
    }
    upcr_scratch_done(scratch);
    upcr_leave(flags);
}

#undef OP_GLUE_
#undef OP_GLUE
#undef FOLD
#undef ONE
#undef REDUCE
#undef PREFIX
#undef OWN
#undef TOTAL
#undef SCAN_ROWS
#undef BLOCK_RESULTS
#undef STRING_
#undef STRING
#undef TYPE
#undef NAME
#undef INTEGER
