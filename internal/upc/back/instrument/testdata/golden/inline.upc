# 1 "inline.upc"
unsigned long upc_threadof(shared void *);
static shared int own;
inline int of_all(shared int *p)
{
	upc_barrier;
	return (int)upc_threadof(p);
}
extern int of_all(shared int *p);
static inline int of_this(void)
{
	upc_barrier 3;
	return of_all(&own);
}
int outer(void)
{
	return of_this();
}
