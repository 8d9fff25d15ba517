int value(void);
void f(int n)
{
	upc_barrier;
	if (n)
		upc_barrier n + 1;
	else
		upc_notify value();
	upc_wait 3, value();
	switch (n) {
	case 1: upc_barrier;
	default: upc_fence;
	}
}
