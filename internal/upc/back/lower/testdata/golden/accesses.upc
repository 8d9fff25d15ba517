typedef struct { double re, im; } number;
shared [4] number z[8 * THREADS];
shared int n, *p, *shared q;
strict shared int flag;
struct { unsigned low : 4, high : 4; } typedef bits;
shared bits b;
extern shared [] char text[];

double norm(shared [4] number *x)
{
	return x->re * x->re +
	       x->im * x->im;
}

void accesses(int i)
{
	z[i].re += norm(&z[i + 1]);
	n = flag;
	flag++;
	b.low = b.high++;
	p = q ? q + 1 : 0;
	*p++ = text[i];
	q = (shared int *)(shared void *)&z[i];
	*(int *)p = (int)(p - q) + sizeof z;
	z[MYTHREAD * 4].im = 0;
}
