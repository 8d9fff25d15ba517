shared int count = 3, *where = &count;
static shared [2] struct { int x, y; } points[2 * THREADS];
static const struct entry { const char *name; shared int *value; } table[] = { { "count", &count }, { "none" } };

extern shared int *next(shared int *), *shared ring;

int main(int argc, char **argv)
{
	static shared int calls = 1;
	static shared int *last = &calls;
	struct { shared int *a, **b, (*c)[3]; } s = { last };
	shared int *(*f)(shared int *, int) = 0;
	points[argc].y = calls++;
	return table[0].value == s.a || f(where, 1) != next(last) + argv[0][0];
}
