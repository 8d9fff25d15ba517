# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_barrier(const struct upck_site *, int, int);
void upck_notify(const struct upck_site *, int, int);
void upck_wait(const struct upck_site *, int, int);
static struct upck_shape upck_shapes[3];
static const struct upck_arg upck_args[3] = {
	{ "n + 1", "n declared at statements.upc:2" },
	{ "value()", 0 },
	{ "3, value()", 0 },
};
static const struct upck_site upck_sites[5] = {
	{ "upc_barrier", "statements.upc", "f", 4, 0, 0, 0, 0, 0 },
	{ "upc_barrier", "statements.upc", "f", 6, 1, &upck_args[0], 0, &upck_shapes[0], 0 },
	{ "upc_notify", "statements.upc", "f", 8, 1, &upck_args[1], 0, &upck_shapes[1], 0 },
	{ "upc_wait", "statements.upc", "f", 9, 1, &upck_args[2], 0, &upck_shapes[2], 0 },
	{ "upc_barrier", "statements.upc", "f", 11, 0, 0, 0, 0, 0 },
};
# 1 "statements.upc"
int value(void);
void f(int n)
{
upck_barrier(&upck_sites[0], 0, 0);
 if (n)
upck_barrier(&upck_sites[1], 1, ( n + 1));
 else
upck_notify(&upck_sites[2], 1, ( value()));
upck_wait(&upck_sites[3], 1, ( 3, value()));
 switch (n) {
 case 1: upck_barrier(&upck_sites[4], 0, 0);
 default: upc_fence;
 }
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[3] = {
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
};
