#include <stdio.h>
#include <string.h>
static const char *inner(void) { return __func__; }
static int len(void) { return sizeof __func__ + sizeof(__FUNCTION__); }
int main(void) { printf("%s %s %d %d\n", inner(), __FUNCTION__, strstr(__PRETTY_FUNCTION__, "main") != 0, len()); return 0; }
