#include <stdio.h>
#include <stdlib.h>
#include <math.h>
/* Forms of C whose pieces a printer could lose or put in another order. */
typedef struct node { struct node *next; int; union { int i; float f; }; int bits : 3, : 2, more : 4; enum { RED = 1, GREEN } colour; } node;
static int (*const table[2])(const char *, ...) = { printf, &printf };
extern int (*(*complicated(int (*)[3], double (*)(int, ...)))[5])(void) __attribute__((unused));
_Static_assert(sizeof(int) == 4, "int");
int old(a, b) int a; char *b; { return a + *b; }
static inline __attribute__((always_inline)) int twice(const register int x) { return x * 2; }
int all(int n, int vla[static n], int m[restrict const 4])
{
	__label__ out;
	int a[] = { [2] = 1, 2, [5 ... 7] = n, }, *p = a, k = sizeof a / sizeof *a;
	node x = { .i = 1, .colour = GREEN, .next = &(node){ 0 } }, *y = &x;
	__typeof__(*p) z = ({ int t = k; t++; t ? t : 3; });
	for (int i = 0, j = n; i < j; i++, --j) {
		if (i % 2) continue; else if (j == 3) break;
		switch (i) { case 0 ... 3: z += i; default: ; }
	}
	do z--, p++; while (z > 0 && *p);
	while (0) { ; }
	z = n ?: k; z = n ? k : z; z <<= 2; z = -~!+z; z = (int)(char)z; z = _Generic(z, int: 1, default: 2);
	y->next->i = x.next[0].bits = (unsigned char)'\x41';
	if (z) goto out;
	void *to = &&out; goto *to;
	asm volatile("nop" : "+r"(z) : "r"(n), "i"(4) : "memory");
	z = __builtin_offsetof(node, next) + __builtin_types_compatible_p(int, long) + _Alignof(double);
	__extension__ _Complex double c = 1.0 + 2.0i; z += (int)__real__ c;
out:
	return "a" "b"[0] == u8"x"[0] ? twice(z) : vla[m[0]] + 0x1p3 + 1e3f + 10ULL;
}
#pragma GCC diagnostic push
#pragma pack(push, 1)
struct packed { char c; int i; } __attribute__((aligned(2)));
#pragma pack(pop)
