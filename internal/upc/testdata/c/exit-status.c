#include <stdio.h>
#include <stdlib.h>
static void bye(void) { printf("bye\n"); }
int main(void) { atexit(bye); printf("hello\n"); exit(7); }
