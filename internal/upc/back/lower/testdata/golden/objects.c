#include "upcr.h"
#undef linux
#undef unix
int main(int, char **) __asm__("upcr_user_main");
# 1 "objects.upc"
UPCR_OBJECT(count, 4, 4);
static void upcr_begin1(void) { if (upcr_thread == 0) { int upcr_v =
# 1 "objects.upc"
3; upcr_put(UPCR_ADDRESS(count), &upcr_v, sizeof upcr_v); } } UPCR_AT_START(upcr_begin1); upcr_ptr where = UPCR_NULL; static void upcr_begin2(void) { *(upcr_ptr *)((char *)&where + 0) = UPCR_ADDRESS(count); } UPCR_AT_START(upcr_begin2);
struct upcr_struct17 { int x, y; };
UPCR_INTERNAL(points, 16, 4);
# 3 "objects.upc"
struct entry { const char *name; upcr_ptr value; }; static struct entry table[] = { { "count", UPCR_NULL }, { "none" } }; static void upcr_begin3(void) { *(upcr_ptr *)((char *)&table + 8) = UPCR_ADDRESS(count); } UPCR_AT_START(upcr_begin3);

extern upcr_ptr next(upcr_ptr);
UPCR_EXTERN(ring);
# 9 "objects.upc"
UPCR_INTERNAL(upcr_calls_1, 4, 4);
static void upcr_begin4(void) { if (upcr_thread == 0) { int upcr_v =
# 9 "objects.upc"
1; upcr_put(UPCR_ADDRESS(upcr_calls_1), &upcr_v, sizeof upcr_v); } } UPCR_AT_START(upcr_begin4);
static upcr_ptr upcr_last_2 = UPCR_NULL; static void upcr_begin5(void) { *(upcr_ptr *)((char *)&upcr_last_2 + 0) = UPCR_ADDRESS(upcr_calls_1); } UPCR_AT_START(upcr_begin5);
# 7 "objects.upc"
int main(int argc, char **argv)
{


 struct { upcr_ptr a; upcr_ptr * b; upcr_ptr c; } s = { upcr_last_2 };
upcr_ptr(* f) (upcr_ptr, int) = 0;
UPCR_WRITE(int, (UPCR_INDEX(UPCR_ADDRESS(points), (long)(argc), 2, 8) + 4), (__extension__({ upcr_ptr upcr_t3 = UPCR_ADDRESS(upcr_calls_1); int upcr_t4 = UPCR_READ(int, upcr_t3); UPCR_WRITE(int, upcr_t3, (upcr_t4 + 1)); upcr_t4; })));
 return UPCR_EQUAL(table[0].value, s.a) || ! UPCR_EQUAL(f(where, 1), upcr_add(next(upcr_last_2), (long)(argv[0][0]), 1, 4));
}
int upcr_main(int upcr_argc, char **upcr_argv, char **upcr_envp) { (void)upcr_argc; (void)upcr_argv; (void)upcr_envp; return main(upcr_argc, upcr_argv); }
__asm__(".pushsection .upcr_types,\"\",%progbits\n" ".ascii \"count\\tshared int\\tobjects.upc:1\\n\"\n" ".ascii \"ring\\tshared int *shared\\tobjects.upc:5\\n\"\n" ".ascii \"(layout)\\t2\\tobjects.upc\\n\"\n" ".ascii \"THREADS\\tdynamic\\tobjects.upc\\n\"\n" ".popsection");
