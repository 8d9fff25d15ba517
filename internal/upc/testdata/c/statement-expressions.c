#include <stdio.h>
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __auto_type t_ = a; a = b; b = t_; } while (0)
struct s { int a, b; };
int main(void) {
	int i = 3, j = 4;
	printf("%d ", MAX(i++, 2));
	printf("%g %d\n", MAX(1.5, j), i);
	SWAP(i, j);
	struct s s = ({ struct s t = { i, j }; t.a++; t; });
	printf("%d %d %d\n", s.a, s.b, ({ int k = 0; for (int n = 0; n < 4; n++) k += n; k; }) * 2);
	const char *p = ({ "text"; });
	({ i++; });
	printf("%s %d %zu\n", p, i, sizeof(({ (short)1; })));
	return 0;
}
