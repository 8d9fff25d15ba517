#include <stdio.h>
#include <assert.h>
_Static_assert(sizeof(int) == 4, "int");
struct s { char c; _Static_assert(sizeof(long) == 8, "long"); int i; };
static_assert(_Alignof(struct s) == 4, "alignment");
int main(void) {
	_Static_assert((int)1.5 == 1, "cast");
	assert(sizeof(struct s) == 8);
	printf("%zu\n", sizeof(struct s));
	return 0;
}
