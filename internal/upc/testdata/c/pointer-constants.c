#include <stdio.h>
#include <stdint.h>
static int x[5], *const end = x + 5, *mid = &x[2];
static const char *const names[] = { "a", "bc" + 1, &"def"[1] };
struct s { int a, b; };
static struct s t;
static int *pb = &t.b;
static uintptr_t size = sizeof(struct s) * 2 + (uintptr_t)0;
int main(void) {
	*pb = 9; *mid = 4;
	printf("%td %d %d %s %s %s %lu\n", end - mid, t.b, x[2], names[0], names[1], names[2], (unsigned long)size);
	return 0;
}
