# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_barrier(const struct upck_site *, int, int);
void upck_forall_begin(const struct upck_site *, int);
void upck_forall_end(const struct upck_site *, unsigned long, unsigned long);
int upck_forall_depth(void);
void upck_forall_left(int);
unsigned long upck_forall_integer(const struct upck_site *, unsigned long, long);
void upck_forall_negative(const struct upck_site *, long);
unsigned long upck_forall_pointer(const struct upck_site *, unsigned long, shared const void *);
static struct upck_shape upck_shapes[4];
static const struct upck_arg upck_args[4] = {
	{ "p", "p declared at forall.upc:6" },
	{ "p + i", "p declared at forall.upc:6; i declared at forall.upc:8" },
	{ "&a[j]", "a declared at forall.upc:3; j declared at forall.upc:34" },
	{ "p", "p declared at forall.upc:6" },
};
static const struct upck_site upck_sites[19] = {
	{ "upc_forall", "forall.upc", "f", 9, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 11, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 14, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 16, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 18, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 20, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 22, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 24, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 26, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 28, 0, 0, 0, 0, 0 },
	{ "upc_barrier", "forall.upc", "f", 29, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 30, 0, 0, 0, 0, 0 },
	{ "upc_forall", "forall.upc", "f", 32, 0, 0, 0, 0, 0 },
	{ "upc_threadof", "forall.upc", "f", 32, 1, &upck_args[0], 0, &upck_shapes[0], 0 },
	{ "upc_threadof", "forall.upc", "f", 32, 1, &upck_args[1], 0, &upck_shapes[1], 0 },
	{ "upc_threadof", "forall.upc", "f", 35, 1, &upck_args[2], 12, &upck_shapes[2], 0 },
	{ "upc_forall", "forall.upc", "f", 38, 0, 0, 0, 0, 0 },
	{ "upc_threadof", "forall.upc", "f", 38, 1, &upck_args[3], 0, &upck_shapes[3], 0 },
	{ "upc_forall", "forall.upc", "f", 40, 0, 0, 0, 0, 0 },
};
# 1 "forall.upc"
typedef unsigned long size_t;
size_t upc_threadof(shared void *ptr);
shared int a[10 * THREADS];
shared [5] int b[10 * THREADS], m[THREADS][5];
shared int limit;
# 1 "<upc-check>" 3
size_t upckw_upc_threadof(const struct upck_site *, shared void *);
# 6 "forall.upc"
void f(int n, shared [5] int *p, int k)
{
 int i;
{ upck_forall_begin(&upck_sites[0], 1); unsigned long upck_n1 = (0) < (n) ? (unsigned long)(n) - (unsigned long)(0) : 0; unsigned long upck_h1 = upck_n1 ? upck_forall_pointer(&upck_sites[0], upck_forall_pointer(&upck_sites[0], 1, (shared const void *)(&a[(0)])), (shared const void *)(&a[((int)((n) - 1))])) : 1; upc_forall (i = 0; i < n; i++; &a[i])
  a[i] = i; upck_forall_end(&upck_sites[0], upck_h1, upck_n1); }
{ int upck_f2 = n / 2; upck_forall_begin(&upck_sites[1], 1); unsigned long upck_n2 = upck_f2 <= (2 * n) ? (unsigned long)(2 * n) - (unsigned long)upck_f2 + 1 : 0; unsigned long upck_h2 = upck_n2 ? upck_forall_integer(&upck_sites[1], upck_forall_integer(&upck_sites[1], 1, (long)(upck_f2 + 1)), (long)(((int)(2 * n)) + 1)) : 1; upc_forall (int j = upck_f2; j <= 2 * n; ++j; j + 1) {
  b[j] = j;
 } upck_forall_end(&upck_sites[1], upck_h2, upck_n2); }
{ int upck_f3 = k; upck_forall_begin(&upck_sites[2], 1); unsigned long upck_n3 = upck_f3 < (n) ? (unsigned long)(n) - (unsigned long)upck_f3 : 0; unsigned long upck_h3 = upck_n3 ? upck_forall_pointer(&upck_sites[2], upck_forall_pointer(&upck_sites[2], 1, (shared const void *)(&p[upck_f3])), (shared const void *)(&p[((int)((n) - 1))])) : 1; upc_forall (i = upck_f3; i < n; i += 1; &p[i])
  p[i] = 0; upck_forall_end(&upck_sites[2], upck_h3, upck_n3); }
{ upck_forall_begin(&upck_sites[3], 1); unsigned long upck_n4 = (0) < (THREADS) ? (unsigned long)(THREADS) - (unsigned long)(0) : 0; unsigned long upck_h4 = upck_n4 ? upck_forall_pointer(&upck_sites[3], upck_forall_pointer(&upck_sites[3], 1, (shared const void *)(&m[(0)][0])), (shared const void *)(&m[((int)((THREADS) - 1))][0])) : 1; upc_forall (i = 0; i < THREADS; i++; &m[i][0])
  m[i][k] = 1; upck_forall_end(&upck_sites[3], upck_h4, upck_n4); }
{ upck_forall_begin(&upck_sites[4], 1); unsigned long upck_n5 = (0) < (10) ? (unsigned long)(10) - (unsigned long)(0) : 0; unsigned long upck_h5 = upck_n5 ? upck_forall_integer(&upck_sites[4], upck_forall_integer(&upck_sites[4], 1, (long)(((0)) & 0x7fffffffffffffffUL)), (long)((((size_t)((10) - 1))) & 0x7fffffffffffffffUL)) : 1; upc_forall (size_t j = 0; j < 10; j++; j)
  a[j]++; upck_forall_end(&upck_sites[4], upck_h5, upck_n5); }
{ upck_forall_begin(&upck_sites[5], 1); unsigned long upck_n6 = (0) < (n) ? (unsigned long)(n) - (unsigned long)(0) : 0; unsigned long upck_h6 = upck_n6 ? upck_forall_integer(&upck_sites[5], upck_forall_integer(&upck_sites[5], 1, (long)((0) / 4)), (long)(((int)((n) - 1)) / 4)) : 1; upc_forall (i = 0; i < n; i++; i / 4)
  a[i] = 0; upck_forall_end(&upck_sites[5], upck_h6, upck_n6); }
{ upck_forall_begin(&upck_sites[6], 1); unsigned long upck_n7 = 0, upck_h7 = 1; int upck_a7; int upck_m7 = 0; upc_forall (i = 1; ( i < n) && ++upck_n7; i++; upck_a7 = ( i / k), upck_h7 = (upck_h7 ^ (unsigned long)upck_a7) * 1099511628211UL, upck_m7 = upck_a7 < upck_m7 ? upck_a7 : upck_m7, upck_a7)
  a[i] = 0; if (upck_m7 < 0) upck_forall_negative(&upck_sites[6], (long)upck_m7); upck_forall_end(&upck_sites[6], upck_h7, upck_n7); }
{ upck_forall_begin(&upck_sites[7], 1); unsigned long upck_n8 = 0, upck_h8 = 1; int upck_a8; int upck_m8 = 0; upc_forall (i = 0; ( i < limit) && ++upck_n8; i += 2; upck_a8 = ( i * k), upck_h8 = (upck_h8 ^ (unsigned long)upck_a8) * 1099511628211UL, upck_m8 = upck_a8 < upck_m8 ? upck_a8 : upck_m8, upck_a8)
  a[i] = 0; if (upck_m8 < 0) upck_forall_negative(&upck_sites[7], (long)upck_m8); upck_forall_end(&upck_sites[7], upck_h8, upck_n8); }
{ upck_forall_begin(&upck_sites[8], 1); unsigned long upck_n9 = 0, upck_h9 = 1; shared const void *upck_a9; upc_forall (i = 0; ( i < n) && ++upck_n9; i++; upck_a9 = (shared const void *)( &a[a[i]]), upck_h9 = upck_forall_pointer(&upck_sites[8], upck_h9, upck_a9), upck_a9)
  a[i] = 0; upck_forall_end(&upck_sites[8], upck_h9, upck_n9); }
{ upck_forall_begin(&upck_sites[9], 0); unsigned long upck_n10 = (0) < (n) ? (unsigned long)(n) - (unsigned long)(0) : 0; unsigned long upck_h10 = 1; upc_forall (i = 0; i < n; i++; continue)
upck_barrier(&upck_sites[10], 0, 0); upck_forall_end(&upck_sites[9], upck_h10, upck_n10); }
{ upck_forall_begin(&upck_sites[11], 0); upc_forall (; ; ; )
  if (i++ > n) break; upck_forall_end(&upck_sites[11], 0, 0); }
{ int upck_d12 = upck_forall_depth(); upck_forall_begin(&upck_sites[12], 1); upck_forall_left(upck_d12); unsigned long upck_n12 = 0, upck_h12 = 1; int upck_a12; int upck_m12 = 0; upc_forall (i = 0; ( i < (int) upckw_upc_threadof(&upck_sites[13], p)) && ++upck_n12; upck_forall_left(upck_d12) ; upck_a12 = ( i + (int) upckw_upc_threadof(&upck_sites[14], p + i)), upck_h12 = (upck_h12 ^ (unsigned long)upck_a12) * 1099511628211UL, upck_m12 = upck_a12 < upck_m12 ? upck_a12 : upck_m12, upck_a12) { upck_forall_left(upck_d12 + 1); {
  if (i > 4) continue;
  upc_forall (int j = 0; j < 5; j++; j)
   a[j] = (int) upckw_upc_threadof(&upck_sites[15], &a[j]);
 } } if (upck_m12 < 0) upck_forall_negative(&upck_sites[12], (long)upck_m12); upck_forall_end(&upck_sites[12], upck_h12, upck_n12); }
 if (n)
{ int upck_f13 = ( int ) upckw_upc_threadof ( &upck_sites[17],  p ); upck_forall_begin(&upck_sites[16], 1); unsigned long upck_n13 = upck_f13 < (n) ? (unsigned long)(n) - (unsigned long)upck_f13 : 0; unsigned long upck_h13 = upck_n13 ? upck_forall_pointer(&upck_sites[16], upck_forall_pointer(&upck_sites[16], 1, (shared const void *)(a + upck_f13)), (shared const void *)(a + ((int)((n) - 1)))) : 1; upc_forall (i = upck_f13; i < n; i++; a + i) a[i] = 0; upck_forall_end(&upck_sites[16], upck_h13, upck_n13); }
 else
{ upck_forall_begin(&upck_sites[18], 1); unsigned long upck_n14 = (0) < (n) ? (unsigned long)(n) - (unsigned long)(0) : 0; unsigned long upck_h14 = upck_n14 ? upck_forall_pointer(&upck_sites[18], upck_forall_pointer(&upck_sites[18], 1, (shared const void *)(a + (0))), (shared const void *)(a + ((int)((n) - 1)))) : 1; upc_forall (i = 0; i < n; i++; a + i) a[i] = 1; upck_forall_end(&upck_sites[18], upck_h14, upck_n14); }
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[4] = {
	{ 5, 4, 5, 0, 0, 0, -1, -1 },
	{ 5, 4, 5, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, a, 40, 1, -1, 4 },
	{ 5, 4, 5, 0, 0, 0, -1, -1 },
};
