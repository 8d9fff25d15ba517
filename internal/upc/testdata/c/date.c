#include <stdio.h>
static int weekday(int y, int m, int d) { static const char t[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 }; y -= m < 3; return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7; }
static int leap(int y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }
int main(void) { printf("%d %d %d%d%d%d\n", weekday(2000, 1, 1), weekday(1969, 7, 20), leap(1900), leap(2000), leap(2024), leap(2023)); return 0; }
