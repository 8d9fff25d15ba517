#include <stdio.h>
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define STR(...) #__VA_ARGS__
#define LOG(f, ...) printf(f "\n", ##__VA_ARGS__)
#define EACH(X) X(red) X(green) X(blue)
#define NAME(x) #x,
static int self = 2;
#define self self + 1
static const char *names[] = { EACH(NAME) };
int main(void) {
	int XCAT(v, __LINE__) = 4;
	LOG("plain %d", self * 10);
	LOG("%s %s %d", STR(a, "b", 'c'), names[2], (int)(sizeof names / sizeof *names));
#if defined(__GNUC__) && __GNUC__ > 3 && !defined NOTHING && (1 ? 2 : 0)
	LOG("%d", v12 + __LINE__);
#elif 1 / 0
#error never
#endif
	LOG("%s:%d %s", __FILE__ + sizeof(__FILE__) - 4, __LINE__, __func__);
#line 500 "other.c"
	LOG("%s:%d", __FILE__, __LINE__);
	return 0;
}
