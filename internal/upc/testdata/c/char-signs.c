#include <stdio.h>
int main(void) {
	char p = (char)200;
	signed char s = (signed char)200;
	unsigned char u = (unsigned char)-56;
	printf("%d %d %d %d\n", p == s, s, u, s == u);
	printf("%d %d %d\n", (char)0x80 < 0, '\xff' < 0, "\xe9"[0] == (char)0xe9);
	return 0;
}
