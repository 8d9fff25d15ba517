/* Functions that a reduction may call, and others. */
struct pair { int first; shared int *second; };
shared int calls[THREADS], *next;
shared struct pair pairs[THREADS];
int kept;

int combined(int a, int b)
{
	calls[MYTHREAD]++;
	*next = pairs[0].first = a;
	--(calls[0]);
	kept = calls[a] += b;
	next = calls;
	return a + b + sizeof(calls[0] = a);
}

static inline double mixed(double a, double b)
{
	*(shared double *)next *= a;
	return a + b;
}

double other(double a, int b)
{
	calls[MYTHREAD] = b;
	return a;
}
