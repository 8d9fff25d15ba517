typedef struct { int place; } jmp_buf[1];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
shared int a[THREADS];
jmp_buf where;
int f(int n)
{
	int i;
	if (setjmp(where))
		return 0;
	if (n > 7)
		goto inside;
	upc_forall (i = 0; i < n; i++; i) {
		if (i == 1)
			return i;
		if (i == 2)
			break;
		else if (i == 3)
			goto out;
		for (;;)
			break;
		while (n) {
			goto inside;
		}
	inside:
		a[i] = 1;
		if (n == 9)
			longjmp(where, 1);
	}
	switch (n)
		upc_forall (i = 0; i < n; i++; i) {
		case 1:
			a[0] = 2;
		case 2:
			switch (i) {
			case 3: break;
			}
			break;
		default: ;
		}
out:
	return 1;
}
int main(void)
{
	upc_forall (int i = 0; i < 3; i++; i)
		if (i == 1)
			return 4;
}
