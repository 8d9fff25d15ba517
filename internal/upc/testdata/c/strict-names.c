#include <stdio.h>
/* Names that begin like those of the run-time are free for a program. */
static int upcr = 1, upc_x = 2;
struct upcr_s { int upc; };
int main(void) { struct upcr_s s = { 3 }; printf("%d %d %d\n", upcr, upc_x, s.upc); return 0; }
