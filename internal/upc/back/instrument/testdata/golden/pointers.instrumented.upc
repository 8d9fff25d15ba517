# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_leave(const struct upck_site *);
shared void *upck_local(const struct upck_site *, shared const void *);
shared void *upck_retyped(const struct upck_site *, shared const void *, unsigned long);
void upck_differ(const struct upck_site *, shared const void *, shared const void *, int);
static struct upck_shape upck_shapes[15];
static const struct upck_arg upck_args[15] = {
	{ "&a[0]", "a declared at pointers.upc:4" },
	{ "(a + 1)", "a declared at pointers.upc:4" },
	{ "b[1]", "b declared at pointers.upc:5" },
	{ "first->next", "first declared at pointers.upc:6" },
	{ "any(a)", "a declared at pointers.upc:4" },
	{ "row + 1", "row declared at pointers.upc:14" },
	{ "&b[2][0]", "b declared at pointers.upc:5" },
	{ "(shared [1] int *)any(a)", "a declared at pointers.upc:4" },
	{ "&a[0]", "a declared at pointers.upc:4" },
	{ "end", "end declared at pointers.upc:14" },
	{ "row", "row declared at pointers.upc:14" },
	{ "end", "end declared at pointers.upc:14" },
	{ "(row - (end >= row))", "row declared at pointers.upc:14; end declared at pointers.upc:14" },
	{ "any(0)", 0 },
	{ "(s + 1)", "s declared at pointers.upc:13" },
};
static const struct upck_site upck_sites[12] = {
	{ "a cast", "pointers.upc", "main", 11, 1, &upck_args[0], 0, &upck_shapes[0], 0 },
	{ "a cast", "pointers.upc", "main", 11, 1, &upck_args[1], 0, &upck_shapes[1], 0 },
	{ "a cast", "pointers.upc", "main", 11, 1, &upck_args[2], 0, &upck_shapes[2], 0 },
	{ "a cast", "pointers.upc", "main", 12, 1, &upck_args[3], 0, &upck_shapes[3], 0 },
	{ "a cast", "pointers.upc", "main", 14, 1, &upck_args[4], 0, &upck_shapes[4], 0 },
	{ "a comparison", "pointers.upc", "main", 15, 2, &upck_args[5], 0, &upck_shapes[5], 0 },
	{ "a difference", "pointers.upc", "main", 15, 2, &upck_args[7], 0, &upck_shapes[7], 0 },
	{ "a comparison", "pointers.upc", "main", 16, 2, &upck_args[9], 0, &upck_shapes[9], 0 },
	{ "a difference", "pointers.upc", "main", 16, 2, &upck_args[11], 0, &upck_shapes[11], 0 },
	{ "a cast", "pointers.upc", "main", 17, 1, &upck_args[13], 0, &upck_shapes[13], 0 },
	{ "a cast", "pointers.upc", "main", 17, 1, &upck_args[14], 0, &upck_shapes[14], 0 },
	{ "return from main", "pointers.upc", "main", 17, 0, 0, 0, 0, 0 },
};
# 2 "pointers.upc"
typedef unsigned long size_t;
struct node { int value; shared struct node *next; };
shared int a[THREADS];
shared [4] int b[4][4 * THREADS];
shared struct node nodes[THREADS], *first;
shared void *any(shared void *);

int upck_user_main(void)
{
shared [4] int *upck_r1; shared [4] int *upck_r2; shared [1] int *upck_r3; shared int *upck_r4; shared [4] int *upck_r5; shared [4] int *upck_r6; shared [4] int *upck_r7; shared [4] int *upck_r8; int *p = (int *) upck_local(&upck_sites[0], &a[0]), *q = (int *) upck_local(&upck_sites[1], (a + 1)), *r = (void *) upck_local(&upck_sites[2], b[1]);
 struct node *n = (struct node *) upck_local(&upck_sites[3], first->next);
 shared [] char *s = (shared [] char *)a;
 shared [4] int *row = (shared [4] int *) upck_retyped(&upck_sites[4], any(a), 4), *end = b[3];
 while ((upck_r1 = row + 1, upck_r2 = &b[2][0], upck_differ(&upck_sites[5], upck_r1, upck_r2, 1), upck_r1 < upck_r2) && (upck_r3 = (shared [1] int *)any(a), upck_r4 = &a[0], upck_differ(&upck_sites[6], upck_r3, upck_r4, 0), upck_r3 - upck_r4) > 0)
  row += (upck_r7 = end, upck_r8 = (row - ((upck_r5 = end, upck_r6 = row, upck_differ(&upck_sites[7], upck_r5, upck_r6, 1), upck_r5 >= upck_r6))), upck_differ(&upck_sites[8], upck_r7, upck_r8, 0), upck_r7 - upck_r8);
{ upck_leave(&upck_sites[11]); return *(const int *) upck_local(&upck_sites[9], any(0)) + *(char *) upck_local(&upck_sites[10], (s + 1)) + sizeof((int *)a) + (p == q) + (r == 0) + n->value + (int)(size_t)(void *)p; }
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[15] = {
	{ 1, 4, 5, a, 4, 1, -1, 4 },
	{ 1, 4, 5, a, 4, 1, -1, 4 },
	{ 4, 4, 5, b, 64, 1, -1, 16 },
	{ 1, 16, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 4, 4, 5, 0, 0, 0, -1, -1 },
	{ 4, 4, 5, b, 64, 1, -1, 16 },
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, a, 4, 1, -1, 4 },
	{ 4, 4, 5, 0, 0, 0, -1, -1 },
	{ 4, 4, 5, 0, 0, 0, -1, -1 },
	{ 4, 4, 5, 0, 0, 0, -1, -1 },
	{ 4, 4, 5, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 0, 1, 1, 0, 0, 0, -1, -1 },
};
