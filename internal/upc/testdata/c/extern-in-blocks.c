#include <stdio.h>
static int f(void) { extern int shared_later; int g(int); return g(shared_later); }
int shared_later = 6;
int g(int x) { return x * 7; }
int main(void) { extern int puts(const char *); printf("%d\n", f()); return puts("done") < 0; }
