#include <stdio.h>
static int größe = 3, \u03c0 = 31;
struct \u00e9tat { int n\u00famero; };
int main(void) { struct état e = { 5 }; printf("%d %d %d\n", größe, π, e.número); return 0; }
