#include <stdio.h>
typedef long word;
static word id(word word) { return word + 1; }
struct s { word word; };
int main(void) {
	struct s s = { 4 };
	word a = id(3);
	{ enum { word = 9 }; a += word * 2; }
	for (int word = 0; word < 2; word++) a += word;
	printf("%ld %ld %zu\n", a, s.word, sizeof(word));
	return 0;
}
