#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
struct s { char c; alignas(16) char d; long l; };
struct __attribute__((packed)) p { char c; int i; };
struct q { char c; int i __attribute__((packed)); double d __attribute__((aligned(32))); };
int main(void) {
	printf("%zu %zu %zu\n", alignof(struct s), sizeof(struct s), offsetof(struct s, l));
	printf("%zu %zu %zu\n", alignof(struct p), sizeof(struct p), offsetof(struct p, i));
	printf("%zu %zu %zu %zu\n", alignof(struct q), sizeof(struct q), offsetof(struct q, i), offsetof(struct q, d));
	printf("%zu %zu %zu\n", alignof(char), alignof(long double), _Alignof(int[3]));
	return 0;
}
