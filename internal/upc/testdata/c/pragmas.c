#include <stdio.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma pack(push, 1)
struct p { char c; int i; };
#pragma pack(pop)
struct n { char c; int i; };
#pragma GCC diagnostic pop
_Pragma("GCC visibility push(default)") int visible = 3; _Pragma("GCC visibility pop")
int main(void) {
	int s = 0;
#pragma GCC unroll 2
	for (int i = 0; i < 4; i++)
#pragma GCC ivdep
		for (int j = 0; j < 2; j++) s += i * j;
#pragma whatever this is
	printf("%zu %zu %d %d\n", sizeof(struct p), sizeof(struct n), s, visible);
	return 0;
}
