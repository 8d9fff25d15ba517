#include <stdio.h>
static int decode(const unsigned char **s) {
	int c = *(*s)++, n = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	c &= (int []){ 0x7f, 0x1f, 0x0f, 0x07 }[n];
	while (n--) c = c << 6 | (*(*s)++ & 0x3f);
	return c;
}
int main(void) { for (const unsigned char *s = (const unsigned char *)"a\u00e9\u20ac\U0001f600"; *s;) printf("%x ", decode(&s)); printf("\n"); return 0; }
