extern void exit(int);
extern void _exit(int);
extern void abort(void);
int printf(const char *, ...);
int main(int argc, char **argv);
static int other(int n) { int main = n; return main; }
int main(int argc, char **argv)
{
	if (argc == 1)
		return other(argc);
	if (argc == 2)
		exit(argc - 1);
	else if (argc == 3) _exit(4);
	printf("%s %d\n", __func__, (int)sizeof __func__);
	if (argc > 10)
		return main(1, argv);
	if (argc > 5)
		abort();
	upc_barrier;
}
