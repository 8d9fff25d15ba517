#include <stdint.h>
#include <stdio.h>
struct s { int a; };
int main(void) {
	double d = -1.9;
	struct s x = { 7 }, *p = (struct s *)(void *)&x;
	printf("%d %u %ld\n", (int)d, (unsigned)(int)d, (long)(float)16777217);
	printf("%d %d %d\n", *(int *)p, ((struct s *)(uintptr_t)p)->a, (int)(unsigned char)-1);
	int (*f)(void) = (int (*)(void))0;
	(void)f;
	printf("%d %d\n", (_Bool)0.1, (char)(short)(int)0x1234567f);
	printf("%g %g\n", (double)(1 / 2), (double)1 / 2);
	return 0;
}
