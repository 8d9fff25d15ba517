typedef unsigned long size_t;
typedef int upc_flag_t;
shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_all_broadcast(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_memget(void *restrict dst, shared const void *restrict src, size_t n);
size_t upc_threadof(shared void *ptr);
void upc_free(shared void *ptr);
struct pair { int x; double y; };
shared [2] int table[2 * THREADS];
shared int sh_val;
extern shared [] double grid[];
static shared struct pair pairs[THREADS];
int twice(int n) { return 2 * n; }
#define GET(to, n) upc_memget(to, &table[n], sizeof(int) * (n))
void f(int n, void (*indirect)(shared void *))
{
	int buffer[10];
	shared [4] long *own = (shared [4] long *)upc_all_alloc(n, twice(n) * sizeof(long));
	upc_all_broadcast(table, &sh_val,
	                  sizeof(int) * sh_val, 0);
	GET(buffer, n);
	upc_memget(&buffer[2], (shared void *)grid, n); upc_memget(buffer + 3, &pairs[1].y, sizeof pairs[0].y);
	n = (int)upc_threadof(upc_all_alloc(1, upc_threadof(own + 1)));
	n += sizeof(upc_threadof(own)) + sizeof(int[2]);
	n += ({ int k = 1; upc_threadof(&table[k]); });
	for (size_t i = upc_threadof(own); i < upc_threadof(table); i += upc_threadof(&table[1]))
		(upc_free)(own);
	(void)upc_threadof(own);
	indirect(own);
	(*indirect)(own);
}
