#include <stdio.h>
#define SHAPES(X) X(circle, double r; , 3.0 * s->circle.r) X(square, double a; , s->square.a * s->square.a)
#define KIND(n, f, e) kind_##n,
#define FIELDS(n, f, e) struct { f } n;
#define AREA(n, f, e) case kind_##n: return e;
struct shape { enum { SHAPES(KIND) kinds } kind; union { SHAPES(FIELDS) }; };
static double area(const struct shape *s) { switch (s->kind) { SHAPES(AREA) default: return -1; } }
int main(void) { struct shape s[] = { { kind_circle, .circle = { 2 } }, { kind_square, .square.a = 3 } }; printf("%g %g %d\n", area(s), area(s + 1), kinds); return 0; }
