#include <stdio.h>
#include <stdlib.h>
static int done;
int main() { if (!done++) { printf("once\n"); return main() + 4; } return 1; }
