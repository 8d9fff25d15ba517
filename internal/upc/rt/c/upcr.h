/*
 * The run-time as lowered code sees it. The text of a lowered file has been preprocessed already, so this header
 * includes nothing, takes no names but upcr_ and UPCR_, and uses no types but the language's own (LP64). All that is
 * known of the bits of a pointer-to-shared is in this file.
 */
#ifndef UPCR_H
#define UPCR_H
#pragma GCC system_header

#define UPCR_INLINE static inline __attribute__((always_inline, unused))
#define UPCR_LIKELY(x) __builtin_expect(!!(x), 1)
/*
 * For what a processor foresees better than gcc thinks: a jump, not a choice of values that the next step must wait
 * for.
 */
#define UPCR_FORESEEN(x) __builtin_expect_with_probability(!!(x), 1, 1.0)

/*
 * ---- Pointers-to-shared (UPC 1.3, 6.4.2): [63:44] phase, [43:34] thread, [33:0] offset in the thread's segment. ----
 */

typedef unsigned long upcr_ptr;

#define UPCR_OFFSET_BITS 34
#define UPCR_THREAD_BITS 10
#define UPCR_PLACE_BITS (UPCR_OFFSET_BITS + UPCR_THREAD_BITS)
#define UPCR_MAX_THREADS (1 << UPCR_THREAD_BITS)
#define UPCR_SEGMENT (1UL << UPCR_OFFSET_BITS) /* bytes that a thread's segment may have */
#define UPCR_PLACE_MASK ((1UL << UPCR_PLACE_BITS) - 1)
#define UPCR_ONE_THREAD (1UL << UPCR_OFFSET_BITS)
#define UPCR_ONE_PHASE (1UL << UPCR_PLACE_BITS)

/* Nothing is mapped at the start of a segment, so that the null pointer cannot be followed. Static shared objects
   come next, then the heap. What the program must not reach is at the other end: the run-time's own data and, hidden
   from the program, shared objects of the checks. Around each of these three parts are addresses without memory,
   where what runs out of an object ends. */
#define UPCR_STATIC_OFFSET 65536UL
#define UPCR_GUARD (16UL << 20)
#define UPCR_CONTROL_OFFSET (UPCR_SEGMENT - 4 * UPCR_GUARD)
#define UPCR_HIDDEN_OFFSET (UPCR_CONTROL_OFFSET + 65536)

#define UPCR_NULL ((upcr_ptr)0)
/* Equality looks at the place only. */
#define UPCR_EQUAL(a, b) (((((upcr_ptr)(a)) ^ ((upcr_ptr)(b))) & UPCR_PLACE_MASK) == 0)
#define UPCR_IS_NULL(p) ((((upcr_ptr)(p)) & UPCR_PLACE_MASK) == 0)

/*
 * ---- What is known from the start of the program on. The run-time writes these before it runs anything that sees
 * them. ----
 */

#pragma GCC visibility push(hidden)
#ifdef UPCR_STATIC_THREADS
#define upcr_threads UPCR_STATIC_THREADS
#define UPCR_RECIPROCAL 0UL
/* For the run-time to compare with the number of ranks. */
static const int upcr_static_threads __attribute__((section("upcr_static"), used)) = UPCR_STATIC_THREADS;
#else
extern const int upcr_threads;
extern const unsigned long upcr_reciprocal; /* 2^63 / THREADS, rounded up */
#define UPCR_RECIPROCAL upcr_reciprocal
#endif
extern const int upcr_thread; /* MYTHREAD */
extern char *const upcr_node; /* where the segments of all threads of my node are mapped, each at its place */
extern char *const upcr_mine; /* my own segment */
/* A null pointer, which gcc must not know: it would warn of a memset on a path that nobody takes. */
extern void *const upcr_none;
extern const int upcr_one_node;                         /* all threads are on my node */
extern const unsigned char upcr_near[UPCR_MAX_THREADS]; /* thread t is on my node */
extern int upcr_patience;                               /* strict reads and fences left before upcr_relax is called */
extern _Thread_local int upcr_forall_depth;             /* controlling upc_foralls around the current place */
extern _Thread_local upcr_ptr upcr_wanted;              /* an object of another node that is about to be read */

/* ---- Memory of other nodes. These work for every thread, and only they do for those of other nodes. ---- */

void upcr_get(void *to, upcr_ptr from, unsigned long bytes);
void upcr_put(upcr_ptr to, const void *from, unsigned long bytes);
void upcr_copy(upcr_ptr to, upcr_ptr from, unsigned long bytes);
/* n elements from one on, as a loop over them would copy them one by one; b is 0 or more than 1. */
void upcr_get_run(void *to, upcr_ptr from, long n, long b, long es);
void upcr_put_run(upcr_ptr to, const void *from, long n, long b, long es);
/* n objects of es bytes are in no thread's segment. */
int upcr_is_private(const void *first, long n, long es);
/* All that this thread wrote to other nodes is there, and what it reads afterwards is read afterwards. */
void upcr_flush(void);
/* Called now and then where a program may be waiting for another thread in its own loop. */
void upcr_relax(void);

/* ---- Parts of a pointer. ---- */

UPCR_INLINE upcr_ptr upcr_make(unsigned long thread, unsigned long phase, unsigned long offset)
{
    return (phase << UPCR_PLACE_BITS) | (thread << UPCR_OFFSET_BITS) | offset;
}

UPCR_INLINE unsigned long upcr_threadof(upcr_ptr p)
{
    return (p >> UPCR_OFFSET_BITS) & (UPCR_MAX_THREADS - 1);
}

UPCR_INLINE unsigned long upcr_phaseof(upcr_ptr p)
{
    return p >> UPCR_PLACE_BITS;
}

UPCR_INLINE unsigned long upcr_offset(upcr_ptr p)
{
    return p & (UPCR_SEGMENT - 1);
}

UPCR_INLINE upcr_ptr upcr_resetphase(upcr_ptr p)
{
    return p & UPCR_PLACE_MASK;
}

UPCR_INLINE int upcr_here(upcr_ptr p)
{
    return UPCR_LIKELY(upcr_one_node) || upcr_near[upcr_threadof(p)];
}

/* The address of an object on my node. */
UPCR_INLINE void *upcr_at(upcr_ptr p)
{
    return upcr_node + (p & UPCR_PLACE_MASK);
}

/* The address of an object of my own. */
UPCR_INLINE void *upcr_own(upcr_ptr p)
{
    return upcr_mine + (p & (UPCR_SEGMENT - 1));
}

/* ---- Arithmetic (UPC 1.3, 6.4.2). Distances are in ultimate elements of es bytes; b is the block size in elements,
   0 for indefinite. b and es are constants at every call, and fold. ---- */

/* floor(a / b) for a constant b > 0. */
UPCR_INLINE long upcr_floor(long a, long b)
{
    if ((b & (b - 1)) == 0)
        return a >> __builtin_ctzl(b);
    long sign = a >> 63; /* floor(a / b) == ~(~a / b) for negative a */
    return (long)((unsigned long)(a ^ sign) / (unsigned long)b) ^ sign;
}

/* floor(a / THREADS) for |a| < 2^53: more elements than a shared object can have. */
UPCR_INLINE long upcr_by_threads(long a)
{
#ifdef UPCR_STATIC_THREADS
    return upcr_floor(a, upcr_threads);
#else
    long sign = a >> 63;
    unsigned long twice = (unsigned long)(a ^ sign) << 1;
    return (long)(unsigned long)(((unsigned __int128)twice * UPCR_RECIPROCAL) >> 64) ^ sign;
#endif
}

UPCR_INLINE upcr_ptr upcr_add(upcr_ptr p, long d, long b, long es)
{
    if (b == 0)
        return p + (unsigned long)(d * es);
    if (b == 1) {
        long thread = (long)upcr_threadof(p) + d, row = upcr_by_threads(thread);
        return upcr_make((unsigned long)(thread - row * upcr_threads), 0, upcr_offset(p) + (unsigned long)(es * row));
    }
    long phase = (long)upcr_phaseof(p), moved = phase + d;
    long block = upcr_floor(moved, b);
    long thread = (long)upcr_threadof(p) + block, row = upcr_by_threads(thread);
    long after = moved - block * b;
    return upcr_make((unsigned long)(thread - row * upcr_threads), (unsigned long)after,
                     upcr_offset(p) + (unsigned long)(es * (b * row + after - phase)));
}

/* The same for a pointer without phase (b = 0), by bytes: members of shared structs too. */
UPCR_INLINE upcr_ptr upcr_add0(upcr_ptr p, long bytes)
{
    return p + (unsigned long)bytes;
}

/* Element i >= 0 of an object that begins at thread 0 with phase 0. */
UPCR_INLINE upcr_ptr upcr_index(upcr_ptr base, long i, long b, long es)
{
    if (b == 0)
        return base + (unsigned long)(i * es);
    if (b == 1) {
        long row = upcr_by_threads(i);
        return base + ((unsigned long)(i - row * upcr_threads) << UPCR_OFFSET_BITS) + (unsigned long)(es * row);
    }
    long block = upcr_floor(i, b), phase = i - block * b, row = upcr_by_threads(block);
    return base + ((unsigned long)(block - row * upcr_threads) << UPCR_OFFSET_BITS) +
           ((unsigned long)phase << UPCR_PLACE_BITS) + (unsigned long)(es * (row * b + phase));
}
#define UPCR_INDEX(base, i, b, es) upcr_index((base), (i), (b), (es))

/* p + 1 and p - 1 without a division. Branches, which a processor foresees, keep the way from one pointer to the
   next short; since the phase is uppermost, and 0 where there is none, one comparison tells whether a block or a row
   ends. */
UPCR_INLINE upcr_ptr upcr_next(upcr_ptr p, long b, long es)
{
    if (b == 0)
        return p + (unsigned long)es;
    unsigned long last = (unsigned long)upcr_threads - 1;
    if (b == 1) {
        unsigned long home = (unsigned long)es - last * UPCR_ONE_THREAD;
        __asm__("" : "+r"(home)); /* one number that a loop keeps, not two that it adds each time */
        return p < last * UPCR_ONE_THREAD ? p + UPCR_ONE_THREAD : p + home;
    }
    if (UPCR_FORESEEN(p < ((unsigned long)b - 1) * UPCR_ONE_PHASE))
        return p + UPCR_ONE_PHASE + (unsigned long)es;
    p -= ((unsigned long)b - 1) * UPCR_ONE_PHASE; /* to the start of the next block */
    return p >= last * UPCR_ONE_THREAD ? p - last * UPCR_ONE_THREAD + (unsigned long)es
                                       : p + UPCR_ONE_THREAD - ((unsigned long)b - 1) * (unsigned long)es;
}

UPCR_INLINE upcr_ptr upcr_prev(upcr_ptr p, long b, long es)
{
    if (b == 0)
        return p - (unsigned long)es;
    unsigned long last = (unsigned long)upcr_threads - 1;
    if (b == 1) {
        if (UPCR_FORESEEN(p >= UPCR_ONE_THREAD))
            return p - UPCR_ONE_THREAD;
        return p + last * UPCR_ONE_THREAD - (unsigned long)es;
    }
    if (UPCR_FORESEEN(p >= UPCR_ONE_PHASE))
        return p - UPCR_ONE_PHASE - (unsigned long)es;
    /* to the end of the block before */
    return ((unsigned long)b - 1) * UPCR_ONE_PHASE +
           (p < UPCR_ONE_THREAD ? p + last * UPCR_ONE_THREAD - (unsigned long)es
                                : p - UPCR_ONE_THREAD + ((unsigned long)b - 1) * (unsigned long)es);
}

/* p - q in ultimate elements. */
UPCR_INLINE long upcr_sub(upcr_ptr p, upcr_ptr q, long b, long es)
{
    long bytes = (long)(upcr_offset(p) - upcr_offset(q));
    if (b == 0)
        return bytes / es;
    long threads = (long)upcr_threadof(p) - (long)upcr_threadof(q);
    if (b == 1)
        return bytes / es * upcr_threads + threads;
    long phases = (long)upcr_phaseof(p) - (long)upcr_phaseof(q);
    long rows = (bytes - phases * es) / (b * es);
    return (rows * upcr_threads + threads) * b + phases;
}

/* ---- Accesses. T is an unqualified type (volatile may stand). The values of p and v are computed once. ---- */

#define UPCR_READ(T, p)                                                  \
    __extension__({                                                      \
        upcr_ptr upcr_p_ = (p);                                          \
        __typeof__(T) upcr_v_;                                           \
        if (UPCR_LIKELY(upcr_here(upcr_p_)))                             \
            upcr_v_ = *(__typeof__(T) *)upcr_at(upcr_p_);                \
        else                                                             \
            upcr_v_ = __extension__({                                    \
                __typeof__(T) upcr_far_;                                 \
                upcr_get((void *)&upcr_far_, upcr_p_, sizeof upcr_far_); \
                upcr_far_;                                               \
            });                                                          \
        upcr_v_;                                                         \
    })

#define UPCR_WRITE(T, p, v)                                                \
    __extension__({                                                        \
        upcr_ptr upcr_p_ = (p);                                            \
        __typeof__(T) upcr_v_ = (v);                                       \
        if (UPCR_LIKELY(upcr_here(upcr_p_)))                               \
            *(__typeof__(T) *)upcr_at(upcr_p_) = upcr_v_;                  \
        else {                                                             \
            __typeof__(T) upcr_far_ = upcr_v_;                             \
            upcr_put(upcr_p_, (const void *)&upcr_far_, sizeof upcr_far_); \
        }                                                                  \
        upcr_v_;                                                           \
    })

/* The same for structs and unions with padding. All their bytes are copied: gcc would leave the padding behind if
   the object went through a variable that it may take apart. So the value is read where the object is, or in an
   object that stands in the block around, which is there only if it is needed: the second operand of ?: is evaluated
   right after the first. */
#define UPCR_READ_WHOLE(T, p)                             \
    (*(__typeof__(T) *)__extension__(upcr_near_or_none(p) \
                                         ?: upcr_far_object((void *)&(__typeof__(T)){}, sizeof(__typeof__(T)))))

#define UPCR_WRITE_WHOLE(T, p, v) \
    (*(__typeof__(T) *)upcr_store((p), (void *)&(__typeof__(T)[1]){(v)}, sizeof(__typeof__(T))))

UPCR_INLINE void *upcr_near_or_none(upcr_ptr p)
{
    if (UPCR_LIKELY(upcr_here(p)))
        return upcr_at(p);
    upcr_wanted = p;
    return (void *)0;
}

UPCR_INLINE void *upcr_far_object(void *room, unsigned long bytes)
{
    upcr_get(room, upcr_wanted, bytes);
    return room;
}

UPCR_INLINE void *upcr_store(upcr_ptr p, void *value, unsigned long bytes)
{
    if (UPCR_LIKELY(upcr_here(p)))
        __builtin_memcpy(upcr_at(p), value, bytes);
    else
        upcr_put(p, value, bytes);
    return value;
}

/* Strict accesses (UPC 1.3, 5.1.2.3): all before them is done before, all after them is done after, and they have
   one order. A full fence stands before each read and after each write, so that none lies between a write and a
   later read of one thread. */
#define UPCR_READ_STRICT(T, p)                         \
    __extension__({                                    \
        upcr_ptr upcr_s_ = (p);                        \
        upcr_before_read();                            \
        __typeof__(T) upcr_w_ = UPCR_READ(T, upcr_s_); \
        __atomic_thread_fence(__ATOMIC_ACQUIRE);       \
        upcr_w_;                                       \
    })

#define UPCR_WRITE_STRICT(T, p, v)       \
    __extension__({                      \
        upcr_ptr upcr_s_ = (p);          \
        __typeof__(T) upcr_w_ = (v);     \
        upcr_before_write();             \
        UPCR_WRITE(T, upcr_s_, upcr_w_); \
        upcr_after_write();              \
        upcr_w_;                         \
    })

#define UPCR_READ_WHOLE_STRICT(T, p) \
    (*(__typeof__(T) *)upcr_load_strict((p), (void *)&(__typeof__(T)){}, sizeof(__typeof__(T))))

#define UPCR_WRITE_WHOLE_STRICT(T, p, v) \
    (*(__typeof__(T) *)upcr_store_strict((p), (void *)&(__typeof__(T)[1]){(v)}, sizeof(__typeof__(T))))

UPCR_INLINE void upcr_before_read(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!UPCR_LIKELY(upcr_one_node))
        upcr_flush();
    if (!UPCR_LIKELY(--upcr_patience >= 0))
        upcr_relax();
}

UPCR_INLINE void upcr_before_write(void)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (!UPCR_LIKELY(upcr_one_node))
        upcr_flush();
}

UPCR_INLINE void upcr_after_write(void)
{
    if (!UPCR_LIKELY(upcr_one_node))
        upcr_flush();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

UPCR_INLINE void *upcr_load_strict(upcr_ptr p, void *room, unsigned long bytes)
{
    upcr_before_read();
    if (UPCR_LIKELY(upcr_here(p)))
        __builtin_memcpy(room, upcr_at(p), bytes);
    else
        upcr_get(room, p, bytes);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return room;
}

UPCR_INLINE void *upcr_store_strict(upcr_ptr p, void *value, unsigned long bytes)
{
    upcr_before_write();
    upcr_store(p, value, bytes);
    upcr_after_write();
    return value;
}

/* A bit-field: member M (a path of members) of the struct S at p, which lies within bytes [at, at + bytes) of S.
   Nothing outside of these is written. */
#define UPCR_BITS_READ(S, p, at, bytes, M)                                                         \
    __extension__({                                                                                \
        upcr_ptr upcr_p_ = (p);                                                                    \
        UPCR_LIKELY(upcr_here(upcr_p_)) ? ((__typeof__(S) *)upcr_at(upcr_p_))->M : __extension__({ \
            __typeof__(S) upcr_far_;                                                               \
            upcr_get((char *)&upcr_far_ + (at), upcr_p_ + (at), (bytes));                          \
            upcr_far_.M;                                                                           \
        });                                                                                        \
    })

#define UPCR_BITS_WRITE(S, p, at, bytes, M, v)                                  \
    __extension__({                                                             \
        upcr_ptr upcr_p_ = (p);                                                 \
        __typeof__(S) upcr_far_;                                                \
        upcr_far_.M = (v);                                                      \
        __auto_type upcr_v_ = +upcr_far_.M;                                     \
        if (UPCR_LIKELY(upcr_here(upcr_p_)))                                    \
            ((__typeof__(S) *)upcr_at(upcr_p_))->M = upcr_v_;                   \
        else {                                                                  \
            upcr_get((char *)&upcr_far_ + (at), upcr_p_ + (at), (bytes));       \
            upcr_far_.M = upcr_v_;                                              \
            upcr_put(upcr_p_ + (at), (const char *)&upcr_far_ + (at), (bytes)); \
        }                                                                       \
        upcr_v_;                                                                \
    })

/* An lvalue for an object that is proved to have affinity to MYTHREAD. */
#define UPCR_HERE(T, p) (*(__typeof__(T) *)upcr_own(p))

/* A cast to a pointer-to-local (UPC 1.3, 6.4.3). */
#define UPCR_CAST_LOCAL(p) upcr_cast_local(p)
UPCR_INLINE void *upcr_cast_local(upcr_ptr p)
{
    return UPCR_IS_NULL(p) ? upcr_none : upcr_at(p);
}

/*
 * ---- Recording accesses for the detection of data races (races.c). Only sources that are compiled for it have sites.
 * ----
 */

/* A function or loop: how often it is entered without being recorded next, and how likely it is recorded then. Of a
   loop, how many iterations were to be recorded when it was recorded last, and how many of these were left. */
struct upcr_region {
    long skip; /* how often it is not recorded next; negative: it always is */
    long granted, left;
    double chance;               /* 0 until it is entered for the first time */
    int recorded;                /* it was, since the chance was computed */
    int weight;                  /* iterations of short loops in one of its iterations; at most 1: none */
    struct upcr_region *entered; /* in the list of those that have been entered */
    /* The context of it that was granted iterations last; of a context, the region of the program. */
    struct upcr_region *in;
};

/* Accesses of a site to one thread's memory that are not in the stream yet: count elements from first to last. */
struct upcr_span {
    unsigned long first, last, count;
    unsigned size, stride;
    unsigned owner; /* and 1; 0 if there is none */
    unsigned pad;
};
enum { UPCR_SPANS = 4 };

/*
 * A place of the program where memory is accessed that may be shared. The run-time counts sites by their places in the
 * section.
 */
struct upcr_site {
    long skip; /* how many accesses are not recorded next */
    /*
	 * Where the next access is if the last ones go on, 0 if they do not; from one to the next. They belong to
	 * spans[current].
	 */
    upcr_ptr expected;
    unsigned long apart;
    float chance; /* as of a region */
    unsigned looks, rest;
    upcr_ptr left_out; /* what was not recorded last, and how far it was from the one before */
    unsigned long apart_out;
    unsigned long joined; /* accesses that were as expected and are not counted yet */
    upcr_ptr before;      /* the last one before them */
    int current;
    int write, open; /* open: it is in the list of sites with spans */
    int near;        /* it accesses by pointers-to-local */
    int line, column;
    const char *file, *function, *text;
    int rests;
    /* In lists: of sites with spans; of those that rest or pass over accesses, as rests says. */
    struct upcr_site *next, *resting;
    struct upcr_span spans[UPCR_SPANS];
} __attribute__((aligned(64)));

/* What a shared object is called. */
struct upcr_named {
    const char *file;
    int line, column;
    const char *name;
    const char *object;
    unsigned long bytes, size, block; /* of one thread; of an element; elements, 0 if all are on thread 0 */
    const char *shape;
} __attribute__((aligned(64)));

extern int upcr_recording;
extern struct upcr_site *upcr_caller; /* where a library function is called */
void upcr_record(struct upcr_site *site, upcr_ptr p, unsigned long bytes);
/* A strict read was made, a strict write is about to be. */
void upcr_record_strict(struct upcr_site *site, upcr_ptr p, const void *value, unsigned long bytes, int write);

long upcr_chance(struct upcr_region *region, int loop);

/* Numbers of the last four functions that have called each other, the innermost one in the lowest 16 bits. */
extern unsigned long upcr_functions;

UPCR_INLINE unsigned long upcr_calls(unsigned long function)
{
    unsigned long before = upcr_functions;
    upcr_functions = before << 16 | function;
    return before;
}

UPCR_INLINE void upcr_returns(const unsigned long *before)
{
    upcr_functions = *before;
}

/* The body of a function begins that has loops which are regions, or may call one that has. */
#define UPCR_FUNCTION(function) \
    unsigned long upcr_before_ __attribute__((cleanup(upcr_returns), unused)) = upcr_calls(function)

/* Whether the accesses of a function are recorded this time (check-region in UPC-Thrille, section 4.2). */
UPCR_INLINE int upcr_enters(struct upcr_region *region)
{
    if (region->skip > 0)
        return region->skip--, 0;
    return region->skip < 0 || upcr_chance(region, 0) > 0;
}

/* For how many iterations those of a loop are. */
UPCR_INLINE long upcr_grant(struct upcr_region *region)
{
    if (region->skip > 0)
        return region->skip--, 0;
    return region->skip < 0 ? __LONG_MAX__ : upcr_chance(region, 1);
}

/* An access that may be recorded (check-reference). */
UPCR_INLINE void upcr_sees_at(struct upcr_site *site, upcr_ptr p, unsigned long bytes)
{
    if (site->skip > 0) {
        site->skip--;
    } else if (p == site->expected) {
        site->expected += site->apart;
        site->joined++;
    } else {
        upcr_record(site, p, bytes);
    }
}

UPCR_INLINE upcr_ptr upcr_sees(struct upcr_site *site, upcr_ptr p, unsigned long bytes)
{
    upcr_sees_at(site, p, bytes);
    return p;
}

/* A private access: for a while the site is taken to access private memory, if that is chosen (section 4.1). */
void upcr_is_local(struct upcr_site *site);

/* The segments of all threads lie one after the other, so one comparison tells whether an address is shared. */
UPCR_INLINE void upcr_sees_near(struct upcr_site *site, const volatile void *p, unsigned long bytes)
{
    unsigned long at = (unsigned long)p - (unsigned long)upcr_node;
    if (UPCR_LIKELY(at < (unsigned long)upcr_threads << UPCR_OFFSET_BITS))
        upcr_sees_at(site, at, bytes);
    else if (site->skip > 0)
        site->skip--;
    else
        upcr_is_local(site);
}

/* A function of the C library is about to read or write memory, as the site says. */
void upcr_moves_near(struct upcr_site *site, const void *p, unsigned long bytes);

/* The private lvalue x, whose access is recorded if it is in shared memory. */
#define UPCR_SEEN(site, x)                                \
    (*__extension__({                                     \
        __typeof__(&(x)) upcr_x_ = &(x);                  \
        upcr_sees_near((site), upcr_x_, sizeof *upcr_x_); \
        upcr_x_;                                          \
    }))

UPCR_INLINE void upcr_saw_strict(struct upcr_site *site, upcr_ptr p, const void *value, unsigned long bytes)
{
    if (upcr_recording)
        upcr_record_strict(site, p, value, bytes, 0);
}

UPCR_INLINE void upcr_writes_strict(struct upcr_site *site, upcr_ptr p, const void *value, unsigned long bytes)
{
    if (upcr_recording)
        upcr_record_strict(site, p, value, bytes, 1);
}

/*
 * A strict bit-field is about to be written, or was read. All strict bit-fields of a program count as one flag, and as
 * nothing that is accessed.
 */
UPCR_INLINE void upcr_writes_strict_bits(void)
{
    if (upcr_recording)
        upcr_record_strict((struct upcr_site *)0, UPCR_NULL, "", 0, 1);
}

UPCR_INLINE void upcr_saw_strict_bits(void)
{
    if (upcr_recording)
        upcr_record_strict((struct upcr_site *)0, UPCR_NULL, "", 0, 0);
}

/* ---- Affinity in upc_forall (UPC 1.3, 6.6.2). ---- */

UPCR_INLINE int upcr_is_mine_unsigned(unsigned long i)
{
#ifndef UPCR_STATIC_THREADS
    if (UPCR_LIKELY(i < 1UL << 53))
        return (long)i - upcr_by_threads((long)i) * upcr_threads == upcr_thread;
#endif
    return i % (unsigned long)upcr_threads == (unsigned long)upcr_thread;
}

/*
 * For a negative i the remainder is that of the division that rounds down, as in loops over a thread's own iterations.
 */
UPCR_INLINE int upcr_is_mine_int(long i)
{
    if (UPCR_LIKELY(i >= 0))
        return upcr_is_mine_unsigned((unsigned long)i);
    return upcr_threads - 1 - ~i % upcr_threads == upcr_thread;
}

UPCR_INLINE int upcr_is_mine(upcr_ptr p)
{
    return upcr_threadof(p) == (unsigned long)upcr_thread;
}

/*
 * How many of the numbers MYTHREAD, MYTHREAD + THREADS, ... are less than x: the iterations of a thread's own before x.
 */
UPCR_INLINE long upcr_rows(long x)
{
    return upcr_by_threads(x - upcr_thread + upcr_threads - 1);
}

/* Around a controlling upc_forall whose body calls functions: upc_foralls in these run all their iterations. */
UPCR_INLINE int upcr_forall_enter(void)
{
    return upcr_forall_depth++;
}

UPCR_INLINE void upcr_forall_leave(int *outer)
{
    upcr_forall_depth = *outer;
}

/* ---- Statements (UPC 1.3, 6.6.1). has says whether there is a value. ---- */

#define upcr_notify(has, value) upcr_notify_at((has), (value), __FILE__, __LINE__)
#define upcr_wait(has, value) upcr_wait_at((has), (value), __FILE__, __LINE__)
#define upcr_barrier(has, value) upcr_barrier_at((has), (value), __FILE__, __LINE__)
void upcr_notify_at(int has, int value, const char *file, int line);
void upcr_wait_at(int has, int value, const char *file, int line);
void upcr_barrier_at(int has, int value, const char *file, int line);

UPCR_INLINE void upcr_fence(void)
{
    upcr_before_write();
    upcr_before_read();
}

/* ---- Static shared objects. The section has no bytes in the file and is never touched: it gives each object its
   offset. Those of the checks, which are compiled with UPCR_HIDDEN, have a section and a part of the segment for
   themselves. ---- */

#ifdef UPCR_HIDDEN
#define UPCR_SECTION "upcr_hidden"
#define UPCR_SECTION_OFFSET UPCR_HIDDEN_OFFSET
#else
#define UPCR_SECTION "upcr_shared"
#define UPCR_SECTION_OFFSET UPCR_STATIC_OFFSET
#endif
extern char upcr_section_start[] __asm__("__start_" UPCR_SECTION);

/* bytes and align are decimal numbers; bytes are those of one thread. */
#define UPCR_OBJECT_(name, bytes, align, linkage)                                                            \
    __asm__(".pushsection " UPCR_SECTION ",\"aw\",%nobits\n\t"                                               \
            ".balign " #align "\n\t" linkage ".type " #name ",%object\n\t.size " #name "," #bytes "\n" #name \
            ":\n\t.skip " #bytes "\n\t.popsection");                                                         \
    extern char name[]
#define UPCR_OBJECT(name, bytes, align) UPCR_OBJECT_(name, bytes, align, ".globl " #name "\n\t.hidden " #name "\n\t")
/* A tentative definition, which may stand in several files (C11 J.5.11). */
#define UPCR_TENTATIVE(name, bytes, align) UPCR_OBJECT_(name, bytes, align, ".weak " #name "\n\t.hidden " #name "\n\t")
/* One with internal linkage, or static in a block, which lowered code moves to file scope under a unique name. */
#define UPCR_INTERNAL(name, bytes, align) UPCR_OBJECT_(name, bytes, align, "")
#define UPCR_EXTERN(name) extern char name[]

#define UPCR_OFFSET(name) ((unsigned long)(name) - (unsigned long)upcr_section_start + UPCR_SECTION_OFFSET)
/* Its element 0: thread 0, phase 0. */
#define UPCR_ADDRESS(name) ((upcr_ptr)UPCR_OFFSET(name))

/* function(void) runs on every thread when all segments are there, before the barrier at the start of the program. */
#define UPCR_AT_START(function) \
    static void (*upcr_start_##function)(void) __attribute__((section("upcr_start"), used)) = function

/* Lowered code defines it: the program's main, whatever its form is. */
int upcr_main(int argc, char **argv, char **envp);

#pragma GCC visibility pop
#endif
