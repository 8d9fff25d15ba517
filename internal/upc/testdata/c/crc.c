#include <stdint.h>
#include <stdio.h>
static uint32_t table[256];
static void fill(void) { for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; table[i] = c; } }
static uint32_t crc(const void *p, size_t n) { const uint8_t *b = p; uint32_t c = ~0u; while (n--) c = table[(c ^ *b++) & 0xff] ^ c >> 8; return ~c; }
int main(void) { fill(); printf("%08x %08x\n", crc("123456789", 9), crc("", 0)); return 0; }
