#include <stdio.h>
static int add(int a, int b) {
#if defined __x86_64__
	__asm__ volatile ("addl %1, %0" : "+r" (a) : "r" (b) : "cc");
#else
	__asm__ volatile ("" : "+r" (a) : "r" (b) : "memory");
	a += b;
#endif
	return a;
}
static int named(int x) { int r; asm ("" : [out] "=r" (r) : "[out]" (x)); return r; }
extern int renamed(int) __asm__("puts_like");
int renamed(int x) { return x + 1; }
int main(void) {
	register int k asm("r12") = 4;
	asm volatile ("" ::: "memory");
	asm ("" : "+r" (k));
	int copy = k;
	printf("%d %d %d %d\n", add(3, 4), named(9), renamed(1), copy);
	return 0;
}
