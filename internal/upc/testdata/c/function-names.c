#include <stdio.h>
static const char *inner(void) { return __func__; }
static int len(void) { return sizeof __func__ + sizeof(__FUNCTION__); }
int main(void) { printf("%s %s %s %d\n", inner(), __FUNCTION__, __PRETTY_FUNCTION__, len()); return 0; }
