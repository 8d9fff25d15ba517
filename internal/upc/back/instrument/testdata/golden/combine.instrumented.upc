# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_writes(const struct upck_site *);
static const struct upck_site upck_sites[6] = {
	{ "an assignment", "combine.upc", "combined", 9, 0, 0, 0, 0, 0 },
	{ "an assignment", "combine.upc", "combined", 10, 0, 0, 0, 0, 0 },
	{ "an assignment", "combine.upc", "combined", 10, 0, 0, 0, 0, 0 },
	{ "an assignment", "combine.upc", "combined", 11, 0, 0, 0, 0, 0 },
	{ "an assignment", "combine.upc", "combined", 12, 0, 0, 0, 0, 0 },
	{ "an assignment", "combine.upc", "mixed", 19, 0, 0, 0, 0, 0 },
};
# 2 "combine.upc"
struct pair { int first; shared int *second; };
shared int calls[THREADS], *next;
shared struct pair pairs[THREADS];
int kept;

int combined(int a, int b)
{
(upck_writes(&upck_sites[0]), calls[MYTHREAD]++);
(upck_writes(&upck_sites[2]), *next = (upck_writes(&upck_sites[1]), pairs[0].first = a) );
(upck_writes(&upck_sites[3]), --(calls[0]));
 kept = (upck_writes(&upck_sites[4]), calls[a] += b);
 next = calls;
 return a + b + sizeof(calls[0] = a);
}

static inline double mixed(double a, double b)
{
(upck_writes(&upck_sites[5]), *(shared double *)next *= a);
 return a + b;
}

double other(double a, int b)
{
 calls[MYTHREAD] = b;
 return a;
}
