#include <stdio.h>
#define NAME(x) _Generic((x), char: "char", int: "int", unsigned: "unsigned", long: "long", float: "float", double: "double", \
	char *: "char *", const char *: "const char *", int *: "int *", default: "other")
int main(void) {
	char c = 0;
	short s = 0;
	const int k = 0;
	int a[2];
	printf("%s %s %s %s\n", NAME(c), NAME(+c), NAME(s), NAME(s + 1u));
	printf("%s %s %s %s %s\n", NAME(1L), NAME(1.f), NAME(1.f * 2.), NAME("x"), NAME((const char *)"x"));
	printf("%s %s %s %s\n", NAME(k), NAME(a), NAME(&c), NAME(main));
	return 0;
}
