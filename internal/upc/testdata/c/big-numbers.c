#include <stdint.h>
#include <stdio.h>
static uint32_t d[40] = { 1 };
static int len = 1;
static void times(uint32_t k) { uint64_t carry = 0; for (int i = 0; i < len; i++) { carry += (uint64_t)d[i] * k; d[i] = carry % 1000000000; carry /= 1000000000; } if (carry) d[len++] = carry; }
int main(void) { for (int i = 2; i <= 50; i++) times(i); printf("%u", d[len - 1]); for (int i = len - 2; i >= 0; i--) printf("%09u", d[i]); printf("\n"); return 0; }
