shared [4] double a[16 * THREADS], b[16 * THREADS];
shared int c[16 * THREADS];
double work(double);
shared [8] int d[16 * THREADS];

void loops(int n)
{
	int i;
	upc_forall (i = 0; i < n; i++; &a[i])
		a[i] = b[i] + b[i + 1];
	upc_forall (int k = 1; k <= n; k++; k)
		c[k]++;
	upc_forall (i = 0; i < n; i += 2; i)
		a[i] = work(c[i]);
	for (i = 0; i < n; i++)
		a[i] = 0;
	upc_barrier n;
}

void copies(int n, int *to)
{
	for (int i = 0; i < n; i++)
		to[i + 1] = d[i];
}
