#include <stdio.h>
int a$b = 1, $ = 2;
static int f$(int $x) { return $x * 2; }
int main(void) { printf("%d %d\n", a$b + $, f$($)); return 0; }
