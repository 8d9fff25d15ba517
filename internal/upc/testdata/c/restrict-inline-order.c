#include <stdio.h>
inline static unsigned long const typedef_order(int unsigned long long a) { return a; }
long const static unsigned k = 4;
int long unsigned volatile m = 5;
char const static *const names[2] = { "x", "y" };
struct t { int a; } const static t = { 6 };
int typedef later;
int main(void) { later l = 1; printf("%lu %lu %lu %s %d %d\n", typedef_order(3), k, m, names[1], t.a, l); return 0; }
