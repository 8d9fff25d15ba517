#include "upcr.h"
#undef linux
#undef unix
# 1 "affinity.upc"
UPCR_TENTATIVE(a, 128, 8);
# 1 "affinity.upc"
UPCR_TENTATIVE(b, 128, 8);
# 2 "affinity.upc"
UPCR_TENTATIVE(c, 64, 4);
# 3 "affinity.upc"
double work(double);
UPCR_TENTATIVE(d, 64, 4);
# 6 "affinity.upc"
void loops(int n)
{
 int i;
# 9 "affinity.upc"
{ const long upcr_from4 = 0, upcr_to5 = (long)(n), upcr_shift6 = 0;
# 9 "affinity.upc"
const int upcr_outer3 = upcr_forall_depth; if (__builtin_expect(upcr_outer3 != 0, 0)) { for (i = upcr_from4; i < n; i++) if (upcr_outer3 || upcr_is_mine(UPCR_INDEX(UPCR_ADDRESS(a), (long)(i), 4, 8))) {
UPCR_WRITE(double, UPCR_INDEX(UPCR_ADDRESS(a), (long)(i), 4, 8), (UPCR_READ(double, UPCR_INDEX(UPCR_ADDRESS(b), (long)(i), 4, 8)) + UPCR_READ(double, UPCR_INDEX(UPCR_ADDRESS(b), (long)(i + 1), 4, 8))));
# 9 "affinity.upc"
} } else { for (long upcr_row7 = upcr_rows(upcr_floor(upcr_from4 + upcr_shift6, 4)), upcr_start8; (upcr_start8 = (upcr_row7 * upcr_threads + upcr_thread) * 4) < upcr_to5 + upcr_shift6; upcr_row7++) {
# 10 "affinity.upc"
double *const upcr_a_1 __attribute__((unused)) = (double *)(upcr_mine + ((long)UPCR_OFFSET(a) + (upcr_row7 * 4 - upcr_start8) * 8));
# 10 "affinity.upc"
double *const upcr_b_2 __attribute__((unused)) = (double *)(upcr_mine + ((long)UPCR_OFFSET(b) + (upcr_row7 * 4 - upcr_start8) * 8));
# 10 "affinity.upc"
const long upcr_end10 = upcr_start8 + 4 < upcr_to5 + upcr_shift6 ? upcr_start8 + 4 : upcr_to5 + upcr_shift6;
# 10 "affinity.upc"
for (long upcr_at9 = upcr_start8 > upcr_from4 + upcr_shift6 ? upcr_start8 : upcr_from4 + upcr_shift6; upcr_at9 < upcr_end10; upcr_at9++) { i = (int)(upcr_at9 - upcr_shift6); upcr_a_1[upcr_at9] = upcr_b_2[upcr_at9] + UPCR_READ(double, UPCR_INDEX(UPCR_ADDRESS(b), (long)(i + 1), 4, 8)); } } }
# 9 "affinity.upc"
i = upcr_from4 < upcr_to5 ? upcr_to5 : upcr_from4; }

# 11 "affinity.upc"
{ const long upcr_from13 = 1, upcr_to14 = (long)(n) + 1, upcr_shift15 = 0;
# 11 "affinity.upc"
const int upcr_outer12 = upcr_forall_depth; if (__builtin_expect(upcr_outer12 != 0, 0)) { for (int __attribute__((unused)) k = upcr_from13; k <= n; k++) if (upcr_outer12 || upcr_is_mine_int(k)) {
__extension__({ upcr_ptr upcr_t16 = UPCR_INDEX(UPCR_ADDRESS(c), (long)(k), 1, 4); int upcr_t17 = UPCR_READ(int, upcr_t16); UPCR_WRITE(int, upcr_t16, (upcr_t17 + 1)); });
# 11 "affinity.upc"
} } else {
# 12 "affinity.upc"
int *const upcr_c_11 __attribute__((unused)) = (int *)(upcr_mine + (long)UPCR_OFFSET(c));
# 12 "affinity.upc"
const long upcr_last19 = upcr_rows(upcr_to14 + upcr_shift15); for (long upcr_row18 = upcr_rows(upcr_from13 + upcr_shift15); upcr_row18 < upcr_last19; upcr_row18++) { int __attribute__((unused)) k = (int)(upcr_row18 * upcr_threads + upcr_thread - upcr_shift15); upcr_c_11[upcr_row18] ++; } } }
{ int upcr_outer20 __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_enter(); for (i = 0; i < n; i += 2) if (upcr_outer20 || upcr_is_mine_int(i)) {
UPCR_WRITE(double, UPCR_INDEX(UPCR_ADDRESS(a), (long)(i), 4, 8), (work(UPCR_READ(int, UPCR_INDEX(UPCR_ADDRESS(c), (long)(i), 1, 4))))); } }
{ i = 0; upcr_ptr upcr_at21 = UPCR_INDEX(UPCR_ADDRESS(a), (long)(i), 4, 8); for (; i < n; i++, upcr_at21 = upcr_next(upcr_at21, 4, 8))
UPCR_WRITE(double, upcr_at21, (0)); }
upcr_barrier(1, n);
}

void copies(int n, int *to)
{
# 22 "affinity.upc"
{ int upcr_done22 = upcr_one_node; if (__builtin_expect(!upcr_done22, 0)) { int __attribute__((unused)) i = 0; const long upcr_to23 = (long)(n); if (i < upcr_to23 && upcr_is_private(& to[i + 1], upcr_to23 - i, 4)) { upcr_get_run(& to[i + 1], UPCR_INDEX(UPCR_ADDRESS(d), (long)(i), 8, 4), upcr_to23 - i, 8, 4); upcr_done22 = 1; } } if (upcr_done22 == upcr_one_node) { int i = 0; upcr_ptr upcr_at24 = UPCR_INDEX(UPCR_ADDRESS(d), (long)(i), 8, 4); for (; i < n; i++, upcr_at24 = upcr_next(upcr_at24, 8, 4))
  to[i + 1] = UPCR_READ(int, upcr_at24); } }
}
__asm__(".pushsection .upcr_types,\"\",%progbits\n" ".ascii \"a\\tshared [4] double [16*THREADS]\\taffinity.upc:1\\n\"\n" ".ascii \"b\\tshared [4] double [16*THREADS]\\taffinity.upc:1\\n\"\n" ".ascii \"c\\tshared int [16*THREADS]\\taffinity.upc:2\\n\"\n" ".ascii \"d\\tshared [8] int [16*THREADS]\\taffinity.upc:4\\n\"\n" ".ascii \"(layout)\\t2\\taffinity.upc\\n\"\n" ".ascii \"THREADS\\tdynamic\\taffinity.upc\\n\"\n" ".popsection");
