#include <stdio.h>
struct empty { };
static int zero[0];
union u { int a; float b; };
static int f(int n) { return n ?: 7; }
int main(void) {
	struct empty e;
	union u u = (union u)3.5f;
	int i = 5;
	(void)e;
	printf("%zu %zu %g %d %d\n", sizeof(struct empty), sizeof zero, u.b, f(0), f(2));
	printf("%d %zu\n", __extension__ ({ i + 1; }), __alignof__(i));
	__extension__ long long ll = 1LL << 40;
	printf("%lld %c\n", ll, "\e["[1]);
	int case_range = 0;
	switch (i) { case 1 ... 3: case_range = 1; break; case 4 ... 6: case_range = 2; }
	return case_range - 2;
}
