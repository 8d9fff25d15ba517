#include <stdio.h>
struct s { char c; int i; short h; };
union u { char c[5]; int i; };
int main(void) {
	int a[3][4], n = 0;
	printf("%zu %zu %zu %zu\n", sizeof a, sizeof *a, sizeof **a, sizeof &a);
	printf("%zu %zu %zu\n", sizeof(struct s), sizeof(union u), sizeof(struct s[2]));
	printf("%zu %zu\n", sizeof "abc", sizeof(char[7]));
	printf("%zu %d\n", sizeof(n++), n);
	printf("%zu %zu\n", sizeof(main), sizeof(void));
	return 0;
}
