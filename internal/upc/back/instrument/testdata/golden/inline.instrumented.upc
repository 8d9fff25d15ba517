# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_barrier(const struct upck_site *, int, int);
static struct upck_shape upck_shapes[2];
static const struct upck_arg upck_args[2] = {
	{ "p", "p declared at inline.upc:3" },
	{ "3", 0 },
};
static const struct upck_site upck_sites[1] = {
	{ "upc_barrier", "inline.upc", "of_this", 11, 1, &upck_args[1], 0, &upck_shapes[1], 0 },
};
extern const struct upck_site upck_sites_39b4384f55492d24[2];
const struct upck_site upck_sites_39b4384f55492d24[2] = {
	{ "upc_barrier", "inline.upc", "of_all", 5, 0, 0, 0, 0, 0 },
	{ "upc_threadof", "inline.upc", "of_all", 6, 1, &upck_args[0], 0, &upck_shapes[0], 0 },
};
# 1 "inline.upc"
unsigned long upc_threadof(shared void *);
static shared int own;
# 1 "<upc-check>" 3
long unsigned int upckw_upc_threadof(const struct upck_site *, shared void *);
# 3 "inline.upc"
inline int of_all(shared int *p)
{
upck_barrier(&upck_sites_39b4384f55492d24[0], 0, 0);
 return (int) upckw_upc_threadof(&upck_sites_39b4384f55492d24[1], p);
}
extern int of_all(shared int *p);
static inline int of_this(void)
{
upck_barrier(&upck_sites[0], 1, ( 3));
 return of_all(&own);
}
int outer(void)
{
 return of_this();
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[2] = {
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
};
