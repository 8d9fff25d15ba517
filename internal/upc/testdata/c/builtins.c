#include <stdio.h>
int main(int argc, char **argv) {
	unsigned x = 0x00f0;
	int r;
	printf("%d %d %d %d\n", __builtin_popcount(x), __builtin_ctz(x), __builtin_clz(x), __builtin_ffs(x));
	printf("%x %d %d\n", __builtin_bswap32(x), __builtin_expect(argc > 0, 1) != 0, __builtin_constant_p(3 + 4));
	int over = __builtin_add_overflow(2147483647, argc, &r);
	printf("%d %d\n", over, r);
	printf("%d %g\n", __builtin_types_compatible_p(int[3], int[]), __builtin_choose_expr(1, 2.5, "no"));
	printf("%zu %d\n", __builtin_strlen("four"), __builtin_abs(-3));
	if (!argv) __builtin_unreachable();
	printf("%zu %d\n", __builtin_object_size(&x, 0), __builtin_offsetof(struct { char c; int a[3]; }, a[2]) == 12);
	return 0;
}
