typedef unsigned long size_t;
size_t upc_threadof(shared void *ptr);
shared int a[10 * THREADS];
shared [5] int b[10 * THREADS], m[THREADS][5];
shared int limit;
void f(int n, shared [5] int *p, int k)
{
	int i;
	upc_forall (i = 0; i < n; i++; &a[i])
		a[i] = i;
	upc_forall (int j = n / 2; j <= 2 * n; ++j; j + 1) {
		b[j] = j;
	}
	upc_forall (i = k; i < n; i += 1; &p[i])
		p[i] = 0;
	upc_forall (i = 0; i < THREADS; i++; &m[i][0])
		m[i][k] = 1;
	upc_forall (size_t j = 0; j < 10; j++; j)
		a[j]++;
	upc_forall (i = 0; i < n; i++; i / 4)
		a[i] = 0;
	upc_forall (i = 1; i < n; i++; i / k)
		a[i] = 0;
	upc_forall (i = 0; i < limit; i += 2; i * k)
		a[i] = 0;
	upc_forall (i = 0; i < n; i++; &a[a[i]])
		a[i] = 0;
	upc_forall (i = 0; i < n; i++; continue)
		upc_barrier;
	upc_forall (; ; ; )
		if (i++ > n) break;
	upc_forall (i = 0; i < (int)upc_threadof(p); ; i + (int)upc_threadof(p + i)) {
		if (i > 4) continue;
		upc_forall (int j = 0; j < 5; j++; j)
			a[j] = (int)upc_threadof(&a[j]);
	}
	if (n)
		upc_forall (i = (int)upc_threadof(p); i < n; i++; a + i) a[i] = 0;
	else
		upc_forall (i = 0; i < n; i++; a + i) a[i] = 1;
}
