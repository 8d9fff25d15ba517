#include <stdint.h>
#include <stdio.h>
typedef int32_t fix;
#define FIX(x) ((fix)((x) * 65536 + ((x) < 0 ? -0.5 : 0.5)))
static fix mul(fix a, fix b) { return (fix)(((int64_t)a * b + 0x8000) >> 16); }
static fix quot(fix a, fix b) { return (fix)(((int64_t)a << 16) / b); }
int main(void) { printf("%.4f %.4f %.4f\n", mul(FIX(1.5), FIX(-2.25)) / 65536., quot(FIX(1), FIX(3)) / 65536., (FIX(0.1) + FIX(0.2)) / 65536.); return 0; }
