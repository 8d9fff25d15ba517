#include "upcr.h"
#undef linux
#undef unix
extern struct upcr_region upcr_regions_here[] __asm__("upcr_regions_of_this_unit");
extern struct upcr_site upcr_sites_here[] __asm__("upcr_sites_of_this_unit");
# 1 "plainform.upc"
UPCR_TENTATIVE(total, 4, 4);
# 4 "plainform.upc" 3
__attribute__((unused)) static int upcr_plain_own(const int *p, long at)
{
    return p[at];
}
# 4 "plainform.upc"
static int own(const int *p, long at)
{ if (upcr_enters(upcr_regions_here + 0)) {
    return UPCR_SEEN((upcr_sites_here + 0), p[at]);
} else
# 5 "plainform.upc" 3
{
    return p[at];
} }
# 10 "plainform.upc" 3
__attribute__((unused)) static int upcr_plain_twice(const int *p, long at)
{
    return upcr_plain_own(p, at) + upcr_plain_own(p, at);
}
# 10 "plainform.upc"
int twice(const int *p, long at)
{
    return own(p, at) + own(p, at);
}


static int named(const int *p)
{ if (upcr_enters(upcr_regions_here + 1)) {
    return UPCR_SEEN((upcr_sites_here + 1), p[0]) + (__func__[0] == 'n');
} else
# 17 "plainform.upc" 3
{
    return p[0] + (__func__[0] == 'n');
} }
# 22 "plainform.upc" 3
__attribute__((unused)) static void upcr_plain_clear(int *p, long n)
{ UPCR_FUNCTION(0x4e4d); {
{ long i = 0; long upcr_left1 = upcr_grant(upcr_regions_here + 2); for (; ((upcr_regions_here + 2)->left = upcr_left1--) > 0 && (i < n); i++)
UPCR_SEEN((upcr_sites_here + 2), p[i]) = 0; if (upcr_left1 < 0) for (; (
# 24 "plainform.upc" 3
i < n); i++)
        p[i] = 0; }
# 26 "plainform.upc" 3
} }
# 22 "plainform.upc"
static void clear(int *p, long n)
{ UPCR_FUNCTION(0x4e4d); if (upcr_enters(upcr_regions_here + 3)) {
{ long i = 0; long upcr_left2 = upcr_grant(upcr_regions_here + 4); for (; ((upcr_regions_here + 4)->left = upcr_left2--) > 0 && (i < n); i++)
UPCR_SEEN((upcr_sites_here + 2), p[i]) = 0; if (upcr_left2 < 0) for (; (
# 24 "plainform.upc" 3
i < n); i++)
        p[i] = 0; }
# 26 "plainform.upc"
} else
# 23 "plainform.upc" 3
{
    for (long i = 0; i < n; i++)
        p[i] = 0;
} }
# 29 "plainform.upc" 3
__attribute__((unused)) static void upcr_plain_add(int *p, const int *q)
{
    for (int m = 0; m < 5; m++)
        p[m] += q[m];
}
# 29 "plainform.upc"
static void add(int *p, const int *q)
{ if (upcr_enters(upcr_regions_here + 5)) {
    for (int m = 0; m < 5; m++)
UPCR_SEEN((upcr_sites_here + 3), p[m]) += UPCR_SEEN((upcr_sites_here + 4), q[m]);
} else
# 30 "plainform.upc" 3
{
    for (int m = 0; m < 5; m++)
        p[m] += q[m];
} }
# 35 "plainform.upc" 3
__attribute__((unused)) static int upcr_plain_sum(int *p, long n)
{ UPCR_FUNCTION(0xe7e7); {
    int s = upcr_plain_own(p, 0);
    int (*choice)(const int *, long) = own;
{ long i = 0; long upcr_left3 = upcr_grant(upcr_regions_here + 6); for (; ((upcr_regions_here + 6)->left = upcr_left3--) > 0 && (i < n); i++)
        s += twice(p, i) + named(p) + (choice == own); if (upcr_left3 < 0) for (; (
# 39 "plainform.upc" 3
i < n); i++)
        s += upcr_plain_twice(p, i) + named(p) + (choice == own); }
# 41 "plainform.upc" 3
{ long upcr_left4 = upcr_grant(upcr_regions_here + 7); int upcr_more5 = 1; if (((upcr_regions_here + 7)->left = upcr_left4--) > 0) do { upcr_more5 = 0;
        s += own(p, --n); } while ((upcr_more5 = !!(
n > 0)) && ((upcr_regions_here + 7)->left = upcr_left4--) > 0); if (upcr_more5) do
# 42 "plainform.upc" 3
        s += upcr_plain_own(p, --n); while (
n > 0); }
# 44 "plainform.upc" 3
{ long i = 5; long upcr_left6 = upcr_grant(upcr_regions_here + 8); for (; ((upcr_regions_here + 8)->left = upcr_left6--) > 0 && (i < n); i++)
        add(p, p + i); if (upcr_left6 < 0) for (; (
# 44 "plainform.upc" 3
i < n); i++)
upcr_plain_add(p, p + i); }
# 46 "plainform.upc" 3
{ long i = 0; long upcr_left7 = upcr_grant(upcr_regions_here + 9); for (; ((upcr_regions_here + 9)->left = upcr_left7--) > 0 && (i < n); i += 5)
        clear(p + i, 5); if (upcr_left7 < 0) for (; (
# 46 "plainform.upc" 3
i < n); i += 5)
upcr_plain_clear(p + i, 5); }
# 48 "plainform.upc" 3
UPCR_WRITE(int, UPCR_ADDRESS(total), (s));
    return s;
} }
# 35 "plainform.upc"
int sum(int *p, long n)
{ UPCR_FUNCTION(0xe7e7); if (upcr_enters(upcr_regions_here + 10)) {
    int s = own(p, 0);
    int (*choice)(const int *, long) = own;
{ long i = 0; long upcr_left8 = upcr_grant(upcr_regions_here + 11); for (; ((upcr_regions_here + 11)->left = upcr_left8--) > 0 && (i < n); i++)
        s += twice(p, i) + named(p) + (choice == own); if (upcr_left8 < 0) for (; (
# 39 "plainform.upc" 3
i < n); i++)
        s += upcr_plain_twice(p, i) + named(p) + (choice == own); }
# 41 "plainform.upc"
{ long upcr_left9 = upcr_grant(upcr_regions_here + 12); int upcr_more10 = 1; if (((upcr_regions_here + 12)->left = upcr_left9--) > 0) do { upcr_more10 = 0;
        s += own(p, --n); } while ((upcr_more10 = !!(
n > 0)) && ((upcr_regions_here + 12)->left = upcr_left9--) > 0); if (upcr_more10) do
# 42 "plainform.upc" 3
        s += upcr_plain_own(p, --n); while (
n > 0); }
# 44 "plainform.upc"
{ long i = 5; long upcr_left11 = upcr_grant(upcr_regions_here + 13); for (; ((upcr_regions_here + 13)->left = upcr_left11--) > 0 && (i < n); i++)
        add(p, p + i); if (upcr_left11 < 0) for (; (
# 44 "plainform.upc" 3
i < n); i++)
upcr_plain_add(p, p + i); }
# 46 "plainform.upc"
{ long i = 0; long upcr_left12 = upcr_grant(upcr_regions_here + 14); for (; ((upcr_regions_here + 14)->left = upcr_left12--) > 0 && (i < n); i += 5)
        clear(p + i, 5); if (upcr_left12 < 0) for (; (
# 46 "plainform.upc" 3
i < n); i += 5)
upcr_plain_clear(p + i, 5); }
# 48 "plainform.upc"
UPCR_WRITE(int, upcr_sees((upcr_sites_here + 5), UPCR_ADDRESS(total), sizeof(int)), (s));
    return s;
} else
# 36 "plainform.upc" 3
{
    int s = own(p, 0);
    int (*choice)(const int *, long) = own;
    for (long i = 0; i < n; i++)
        s += twice(p, i) + named(p) + (choice == own);
    do
        s += own(p, --n);
    while (n > 0);
    for (long i = 5; i < n; i++)
        add(p, p + i);
    for (long i = 0; i < n; i += 5)
        clear(p + i, 5);
UPCR_WRITE(int, UPCR_ADDRESS(total), (s));
    return s;
} }
# 53 "plainform.upc" 3
__attribute__((unused)) static void upcr_plain_through(int *p)
{ UPCR_FUNCTION(0x35f5); {
{ int m = 0; long upcr_left13 = upcr_grant(upcr_regions_here + 15); for (; ((upcr_regions_here + 15)->left = upcr_left13--) > 0 && (m <= 16); m++)
UPCR_SEEN((upcr_sites_here + 6), p[m]) = 0; if (upcr_left13 < 0) for (; (
# 55 "plainform.upc" 3
m <= 16); m++)
        p[m] = 0; }
# 57 "plainform.upc" 3
} }
# 53 "plainform.upc"
void through(int *p)
{ UPCR_FUNCTION(0x35f5); if (upcr_enters(upcr_regions_here + 16)) {
{ int m = 0; long upcr_left14 = upcr_grant(upcr_regions_here + 17); for (; ((upcr_regions_here + 17)->left = upcr_left14--) > 0 && (m <= 16); m++)
UPCR_SEEN((upcr_sites_here + 6), p[m]) = 0; if (upcr_left14 < 0) for (; (
# 55 "plainform.upc" 3
m <= 16); m++)
        p[m] = 0; }
# 57 "plainform.upc"
} else
# 54 "plainform.upc" 3
{
    for (int m = 0; m <= 16; m++)
        p[m] = 0;
} }
static struct upcr_site upcr_sites_defined[] __asm__("upcr_sites_of_this_unit") __attribute__((section("upcr_sites"), used)) = {
{ .file = "plainform.upc", .line = 6, .column = 12, .function = "own", .text = "p[at]", .near = 1 },
{ .file = "plainform.upc", .line = 18, .column = 12, .function = "named", .text = "p[0]", .near = 1 },
{ .file = "plainform.upc", .line = 25, .column = 9, .function = "clear", .text = "p[i]", .write = 1, .near = 1 },
{ .file = "plainform.upc", .line = 32, .column = 9, .function = "add", .text = "p[m]", .write = 1, .near = 1 },
{ .file = "plainform.upc", .line = 32, .column = 17, .function = "add", .text = "q[m]", .near = 1 },
{ .file = "plainform.upc", .line = 48, .column = 5, .function = "sum", .text = "total", .write = 1 },
{ .file = "plainform.upc", .line = 56, .column = 9, .function = "through", .text = "p[m]", .write = 1, .near = 1 },
};
static struct upcr_region upcr_regions_defined[18] __asm__("upcr_regions_of_this_unit") __attribute__((used)) = {[8] = {.weight = 5}, [13] = {.weight = 5}};
static const struct upcr_named upcr_named15 __attribute__((section("upcr_names"), used)) = { "plainform.upc", 1, 12, "total", total, 4, 4, 1, "" };
__asm__(".pushsection .upcr_types,\"\",%progbits\n" ".ascii \"total\\tshared int\\tplainform.upc:1\\n\"\n" ".ascii \"(layout)\\t2\\tplainform.upc\\n\"\n" ".ascii \"THREADS\\tdynamic\\tplainform.upc\\n\"\n" ".ascii \"(races)\\tyes\\tplainform.upc\\n\"\n" ".popsection");
