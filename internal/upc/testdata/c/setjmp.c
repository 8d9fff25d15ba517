#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static void deep(int n) { if (n == 0) longjmp(env, 42); deep(n - 1); }
int main(void) {
	volatile int tries = 0;
	if (setjmp(env) == 0) { tries++; deep(5); }
	else if (tries < 3) { tries++; printf("again "); longjmp(env, tries); }
	printf("%d\n", tries);
	if (!setjmp(env)) deep(2); else tries += 4;
	while (setjmp(env) < 3) longjmp(env, ++tries - 6);
	printf("%d\n", tries);
	switch (setjmp(env)) { case 0: longjmp(env, 2); case 2: printf("two\n"); break; default: printf("other\n"); }
	return 0;
}
