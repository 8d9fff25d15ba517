#include <stdio.h>
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define COUNT_(a, b, c, d, e, n, ...) n
#define SUM(...) sum(COUNT(__VA_ARGS__), (int[]){ __VA_ARGS__ })
static int sum(int n, const int *v) { int s = 0; while (n--) s += *v++; return s; }
int main(void) { printf("%d %d %d\n", COUNT(x, y, z), SUM(4, 5), SUM((1, 2), 3, 4)); return 0; }
