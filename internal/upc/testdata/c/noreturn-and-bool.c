#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
static noreturn void stop(bool ok) { printf("%s\n", ok ? "ok" : "not ok"); exit(ok ? 0 : 3); }
int main(void) { bool b = true; b &= 5 > 3; b ^= false; stop(b == true && !false); }
