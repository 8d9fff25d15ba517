#include <stdio.h>
enum a { X = -1, Y, Z = 100 };
enum b { BIG = 0x80000000u };
enum c { HUGE = 1L << 40 };
enum __attribute__((packed)) d { SMALL = 3 };
typedef enum { P, Q, R } e;
int main(void) {
	enum a v = Y;
	e w = R;
	printf("%d %d %d %zu\n", v, Z, v - 1 < 0, sizeof v);
	printf("%zu %zu %zu %d\n", sizeof(enum b), sizeof(enum c), sizeof(enum d), w);
	v++; w = (e)(w - 1);
	printf("%d %d %d\n", v, w, BIG > 0);
	return 0;
}
