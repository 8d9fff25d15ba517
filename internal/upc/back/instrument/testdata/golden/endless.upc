typedef struct upc_lock_t upc_lock_t;
int upc_lock_attempt(shared upc_lock_t *);
int usleep(unsigned);
int next(void);
strict shared int flag, flags[THREADS];
shared int weak;
shared upc_lock_t *shared where;
void f(shared upc_lock_t *l, int n, volatile int *seen, shared upc_lock_t **all)
{
	while (!flag)
		;
	do {
		upc_fence;
	} while (flags[n + 1] != 3);
	for (int i = 0; flag == i || weak;)
		usleep(10);
	while (!upc_lock_attempt(l)) {
	}
	do
		usleep(100);
	while (0 == upc_lock_attempt(l));
	while (!upc_lock_attempt(l))
		n++;
	for (; !upc_lock_attempt(l); n += 2)
		usleep(100);
	/* These may end in other ways. */
	while (!flag && n++ < 10)
		;
	while (!flag)
		next();
	for (; !flag; n++)
		;
	while (!flag)
		if (n)
			break;
	while (flag == next())
		;
	while (flag == *seen)
		;
	while (!weak)
		;
	while (!upc_lock_attempt(where))
		;
	while (!upc_lock_attempt(l) && n)
		;
	while (!upc_lock_attempt(l))
		weak++;
	while (!upc_lock_attempt(all[n]))
		n++;
	while (!upc_lock_attempt(l))
		if (n++ > 10)
			break;
	if (!upc_lock_attempt(l))
		n = 0;
}
