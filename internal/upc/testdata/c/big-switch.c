#include <stdio.h>
static int f(int n) {
	switch (n) {
#define C(x) case x: return (x) * (x) % 97;
#define T(x) C(x) C(x + 1) C(x + 2) C(x + 3) C(x + 4) C(x + 5) C(x + 6) C(x + 7)
#define H(x) T(x) T(x + 8) T(x + 16) T(x + 24)
	H(0) H(32) H(64) H(96)
	}
	return -1;
}
int main(void) { long s = 0; for (int i = -3; i < 140; i++) s = s * 31 % 1000003 + f(i); printf("%ld\n", s); return 0; }
