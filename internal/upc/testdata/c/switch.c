#include <stdio.h>
static const char *name(int c) {
	switch (c) {
	case 0: return "zero";
	case 1 ... 5: return "few";
	case -3: case -2: return "negative";
	default: return "many";
	case 'x': return "letter";
	}
}
static int fall(int n) { int r = 0; switch (n) { case 3: r += 3; case 2: r += 2; __attribute__((fallthrough)); case 1: r++; break; default: r = -1; } return r; }
int main(void) {
	for (int i = -3; i < 8; i++) printf("%s ", name(i));
	printf("%s %d %d %d %d\n", name('x'), fall(3), fall(2), fall(1), fall(0));
	switch (fall(1)) { }
	switch (2) if (0) { case 2: printf("inside\n"); }
	return 0;
}
