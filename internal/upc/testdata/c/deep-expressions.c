#include <stdio.h>
#define A(x) (((x) + 1) * 2 - ((x) & 1))
#define B(x) A(A(A(x)))
int main(void) { int v = 1; unsigned long r = B(B((unsigned long)v)); printf("%lu %d\n", r, ((((((((v))))))))); return 0; }
