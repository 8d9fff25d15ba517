#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
static const char *s;
static double expr(void);
static double atom(void) {
	while (isspace((unsigned char)*s)) s++;
	if (*s == '(') { s++; double v = expr(); s++; return v; }
	if (*s == '-') { s++; return -atom(); }
	char *e;
	double v = strtod(s, &e);
	s = e;
	return v;
}
static double term(void) { double v = atom(); for (;;) { while (*s == ' ') s++; if (*s == '*') { s++; v *= atom(); } else if (*s == '/') { s++; v /= atom(); } else return v; } }
static double expr(void) { double v = term(); for (;;) { while (*s == ' ') s++; switch (*s) { case '+': s++; v += term(); break; case '-': s++; v -= term(); break; default: return v; } } }
int main(void) { const char *t[] = { "1 + 2*3", "(1+2)*-3/4 - 5", "2*(3+(4-1))*.5" }; for (int i = 0; i < 3; i++) { s = t[i]; printf("%g ", expr()); } printf("\n"); return 0; }
