/* Goes before the checker's run-time, in C, and has each access to a shared variable of the protocol written down; see traced_test.go. */
#include "upcr.h"

void upcr_traced(int me, char what, const char *expression, int thread, unsigned long offset, const void *value, unsigned long bytes);

#undef UPCR_READ
#undef UPCR_WRITE
#undef UPCR_READ_STRICT
#undef UPCR_WRITE_STRICT

#define UPCR_TRACED(what, text, q, r) upcr_traced(upcr_thread, what, text, (int)upcr_threadof(q), upcr_offset(q), &r, sizeof r)
#define UPCR_LOADED(T, text, p)                               \
	__extension__({                                           \
		upcr_ptr q_ = (p);                                    \
		__typeof__(T) r_;                                     \
		upcr_load_strict(q_, (void *)&r_, sizeof r_);         \
		UPCR_TRACED('r', text, q_, r_);                       \
		r_;                                                   \
	})
#define UPCR_STORED(T, text, p, v)                            \
	__extension__({                                           \
		upcr_ptr q_ = (p);                                    \
		__typeof__(T) r_ = (v);                               \
		UPCR_TRACED('w', text, q_, r_);                       \
		upcr_store_strict(q_, (void *)&r_, sizeof r_);        \
		r_;                                                   \
	})
#define UPCR_READ(T, p) UPCR_LOADED(T, #p, p)
#define UPCR_READ_STRICT(T, p) UPCR_LOADED(T, #p, p)
#define UPCR_WRITE(T, p, v) UPCR_STORED(T, #p, p, v)
#define UPCR_WRITE_STRICT(T, p, v) UPCR_STORED(T, #p, p, v)
