#include <stdio.h>
int main(void) {
	int a; unsigned short h; long l; double d; char s[10], c;
	int n = sscanf("12 34 -5 2.5 word x", "%d %hu %ld %lf %9s %c", &a, &h, &l, &d, s, &c);
	printf("%d: %d %hu %ld %g %s %c\n", n, a, h, l, d, s, c);
	printf("%5d|%-5d|%05d|%+d|%x|%#o|%e|%10.3f|%-8s|%.2s|%c|%%\n", 42, 42, 42, 42, 255, 8, 12345.678, 3.14159, "ab", "xyz", 'q');
	return 0;
}
