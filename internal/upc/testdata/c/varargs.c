#include <stdarg.h>
#include <stdio.h>
struct p { int x; double y; };
static double sum(const char *kinds, ...) {
	va_list ap, again;
	double s = 0;
	va_start(ap, kinds);
	va_copy(again, ap);
	for (; *kinds; kinds++) switch (*kinds) {
	case 'i': s += va_arg(ap, int); break;
	case 'l': s += va_arg(ap, long); break;
	case 'd': s += va_arg(ap, double); break;
	case 'p': s += *va_arg(ap, int *); break;
	case 's': { struct p v = va_arg(ap, struct p); s += v.x + v.y; } break;
	case 'L': s += va_arg(ap, long double); break;
	}
	s += va_arg(again, int);
	va_end(again);
	va_end(ap);
	return s;
}
int main(void) {
	char c = 3;
	float f = 0.5f;
	int i = 100;
	printf("%g\n", sum("iildpsL", c, 2, 3L, f, &i, (struct p){ 7, 0.25 }, 4.0L));
	return 0;
}
