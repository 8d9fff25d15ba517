#include <stdio.h>
#define FOREACH(x, a) for (int i_ = 0, once_; i_ < (int)(sizeof(a) / sizeof *(a)); i_++) for (once_ = 1; once_;) for (typeof(*(a)) x = (a)[i_]; once_; once_ = 0)
#define WITH(setup, teardown) for (int done_ = ((setup), 0); !done_; done_ = ((teardown), 1))
#define UNTIL(c) while (!(c))
int main(void) {
	int a[] = { 3, 1, 2 }, s = 0;
	FOREACH(v, a) s = s * 10 + v;
	WITH(printf("in "), printf("out\n")) printf("%d ", s);
	UNTIL(s < 10) s /= 3;
	printf("%d\n", s);
	return 0;
}
