struct pair { int x, y; };
typedef double real;
int g(int);
void h(void);
struct pair p(void);
real r(const char *);
shared int *s(void);
int printf(const char *, ...);
void upc_free(shared void *);
int f(int n)
{
#pragma upc strict
	struct local { int x; };
	struct local local(void);
	int i = g(n);
	for (i = g(g(0)); i < g(2); h())
		n += (int)r("x") + p().x;
	upc_free(s());
	local();
	return g(*s());
}
