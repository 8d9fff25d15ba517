#include <stdio.h>
static int even(unsigned);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static long ack(long m, long n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static void hanoi(int n, int a, int b, int c, int *moves) { if (!n) return; hanoi(n - 1, a, c, b, moves); ++*moves; hanoi(n - 1, c, b, a, moves); }
int main(void) { int m = 0; hanoi(10, 0, 1, 2, &m); printf("%d %d %ld %d\n", even(10), odd(10), ack(2, 5), m); return 0; }
