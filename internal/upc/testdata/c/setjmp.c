#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static void deep(int n) { if (n == 0) longjmp(env, 42); deep(n - 1); }
int main(void) {
	volatile int tries = 0;
	int r = setjmp(env);
	if (r == 0) { tries++; deep(5); }
	else if (tries < 3) { tries++; printf("%d ", r); longjmp(env, tries); }
	printf("%d %d\n", r, tries);
	switch (setjmp(env)) { case 0: longjmp(env, 2); case 2: printf("two\n"); break; default: printf("other\n"); }
	return 0;
}
