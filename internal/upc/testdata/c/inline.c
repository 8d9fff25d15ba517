#include <stdio.h>
static inline int sq(int x) { return x * x; }
static inline __attribute__((always_inline)) int cube(int x) { return x * sq(x); }
__attribute__((const)) static inline int five(void) { return 5; }
_Noreturn static void leave(int s) { extern void exit(int) __attribute__((noreturn)); fflush(0); exit(s); }
int main(void) {
	int (*f)(int) = sq;
	printf("%d %d %d %d\n", sq(3), cube(2), f(4), five());
	leave(3);
}
