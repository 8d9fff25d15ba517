#include <limits.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
int main(void) {
	int64_t a = INT64_MIN;
	uint8_t b = UINT8_MAX;
	printf("%d %d %ld %lu %d\n", INT_MAX, SCHAR_MIN, LONG_MIN, ULONG_MAX, CHAR_BIT);
	printf("%" PRId64 " %" PRIu8 " %" PRIx32 " %zu\n", a, b, (uint32_t)-1, SIZE_MAX);
	printf("%zu %zu %d\n", sizeof(intmax_t), sizeof(int_fast16_t), INT16_C(-5));
	return 0;
}
