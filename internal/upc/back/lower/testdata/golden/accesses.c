#include "upcr.h"
#undef linux
#undef unix
# 1 "accesses.upc"
typedef struct upcr_struct1 { double re, im; } number;
UPCR_TENTATIVE(z, 128, 8);
# 3 "accesses.upc"
UPCR_TENTATIVE(n, 4, 4);
# 3 "accesses.upc"
upcr_ptr p;
UPCR_TENTATIVE(q, 8, 8);
# 4 "accesses.upc"
UPCR_TENTATIVE(flag, 4, 4);
# 5 "accesses.upc"
struct upcr_struct39 { unsigned low : 4, high : 4; } typedef bits;
UPCR_TENTATIVE(b, 4, 4);
# 7 "accesses.upc"
UPCR_EXTERN(text);
# 9 "accesses.upc"
double norm(upcr_ptr x)
{
 return UPCR_READ(double, (x)) * UPCR_READ(double, (x)) +
UPCR_READ(double, (x + 8)) * UPCR_READ(double, (x + 8));
}

void accesses(int i)
{
__extension__({ upcr_ptr upcr_t1 = (UPCR_INDEX(UPCR_ADDRESS(z), (long)(i), 4, 16)); double upcr_t2 = UPCR_READ(double, upcr_t1); UPCR_WRITE(double, upcr_t1, (upcr_t2 + (norm(UPCR_INDEX(UPCR_ADDRESS(z), (long)(i + 1), 4, 16))))); });
UPCR_WRITE(int, UPCR_ADDRESS(n), (UPCR_READ_STRICT(int, UPCR_ADDRESS(flag))));
__extension__({ upcr_ptr upcr_t3 = UPCR_ADDRESS(flag); int upcr_t4 = UPCR_READ_STRICT(int, upcr_t3); UPCR_WRITE_STRICT(int, upcr_t3, (upcr_t4 + 1)); });
UPCR_BITS_WRITE(struct upcr_struct39, UPCR_ADDRESS(b), 0, 1, low, (__extension__({ upcr_ptr upcr_t5 = UPCR_ADDRESS(b); __typeof__(unsigned) upcr_t6 = UPCR_BITS_READ(struct upcr_struct39, upcr_t5, 0, 1, high); (void) UPCR_BITS_WRITE(struct upcr_struct39, upcr_t5, 0, 1, high, (upcr_t6 + 1)); upcr_t6; })));
 p = UPCR_READ(upcr_ptr, UPCR_ADDRESS(q)) ? upcr_add(UPCR_READ(upcr_ptr, UPCR_ADDRESS(q)), (long)(1), 1, 4) : UPCR_NULL;
UPCR_WRITE(int, __extension__({ upcr_ptr upcr_t7 = p; p = upcr_next(upcr_t7, 1, 4); upcr_t7; }), (UPCR_READ(char, UPCR_INDEX(UPCR_ADDRESS(text), (long)(i), 0, 1))));
UPCR_WRITE(upcr_ptr, UPCR_ADDRESS(q), ((upcr_resetphase((UPCR_INDEX(UPCR_ADDRESS(z), (long)(i), 4, 16))))));
 * ((int *) UPCR_CAST_LOCAL(p)) = (int)((upcr_sub(p, UPCR_READ(upcr_ptr, UPCR_ADDRESS(q)), 1, 4))) + (128UL * upcr_threads);
UPCR_WRITE(double, (UPCR_INDEX(UPCR_ADDRESS(z), (long)((+upcr_thread) * 4), 4, 16) + 8), (0));
}
__asm__(".pushsection .upcr_types,\"\",%progbits\n" ".ascii \"z\\tshared [4] number [8*THREADS]\\taccesses.upc:2\\n\"\n" ".ascii \"n\\tshared int\\taccesses.upc:3\\n\"\n" ".ascii \"q\\tshared int *shared\\taccesses.upc:3\\n\"\n" ".ascii \"flag\\tstrict shared int\\taccesses.upc:4\\n\"\n" ".ascii \"b\\tshared bits\\taccesses.upc:6\\n\"\n" ".ascii \"text\\tshared [] char []\\taccesses.upc:7\\n\"\n" ".ascii \"(layout)\\t2\\taccesses.upc\\n\"\n" ".ascii \"THREADS\\tdynamic\\taccesses.upc\\n\"\n" ".popsection");
