#include <stdio.h>
static int f(int a, int b) { if (a) if (b) return 1; else return 2; return 3; }
static int g(int a, int b) { if (a) { if (b) return 1; } else return 2; return 3; }
static int h(int n) { if (n > 5) return 5; else if (n > 3) return 3; else if (n > 1) return 1; else return 0; }
int main(void) { printf("%d%d%d%d %d%d%d%d %d%d%d%d\n", f(0, 0), f(0, 1), f(1, 0), f(1, 1), g(0, 0), g(0, 1), g(1, 0), g(1, 1), h(6), h(4), h(2), h(0)); return 0; }
