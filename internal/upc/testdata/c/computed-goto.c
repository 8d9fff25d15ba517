#include <stdio.h>
static int run(const unsigned char *code) {
	static const void *const ops[] = { &&halt, &&push, &&add, &&mul };
	static const int offsets[] = { &&halt - &&halt, &&push - &&halt };
	int stack[8], *sp = stack;
	goto *ops[*code++];
push: *sp++ = *code++; goto *ops[*code++];
add: sp--; sp[-1] += *sp; goto *ops[*code++];
mul: sp--; sp[-1] *= *sp; goto *ops[*code++];
halt: return sp[-1] + (offsets[0] != 0);
}
int main(void) {
	printf("%d\n", run((unsigned char[]){ 1, 6, 1, 7, 3, 1, 10, 2, 0 }));
	return 0;
}
