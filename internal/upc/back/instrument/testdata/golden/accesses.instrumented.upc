# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_access(const struct upck_site *, shared const void *, unsigned long, unsigned long, unsigned long);
static struct upck_shape upck_shapes[13];
static const struct upck_arg upck_args[13] = {
	{ "p", "p declared at accesses.upc:4" },
	{ "p[i]", "p declared at accesses.upc:4; i declared at accesses.upc:9" },
	{ "(p + 1)", "p declared at accesses.upc:4" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first->next", "first declared at accesses.upc:5" },
	{ "first[i]", "first declared at accesses.upc:5; i declared at accesses.upc:9" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first[1]", "first declared at accesses.upc:5" },
	{ "flags++", "flags declared at accesses.upc:6" },
	{ "a", "a declared at accesses.upc:4" },
};
static const struct upck_site upck_sites[13] = {
	{ "an access", "accesses.upc", "taken", 14, 1, &upck_args[0], 0, &upck_shapes[0], 0 },
	{ "an access", "accesses.upc", "taken", 14, 1, &upck_args[1], 0, &upck_shapes[1], 0 },
	{ "an access", "accesses.upc", "taken", 14, 1, &upck_args[2], 0, &upck_shapes[2], 0 },
	{ "an access", "accesses.upc", "taken", 15, 1, &upck_args[3], 0, &upck_shapes[3], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[4], 0, &upck_shapes[4], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[5], 0, &upck_shapes[5], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[6], 0, &upck_shapes[6], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[7], 0, &upck_shapes[7], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[8], 0, &upck_shapes[8], 0 },
	{ "an access", "accesses.upc", "taken", 17, 1, &upck_args[9], 0, &upck_shapes[9], 0 },
	{ "an access", "accesses.upc", "taken", 17, 1, &upck_args[10], 0, &upck_shapes[10], 0 },
	{ "an access", "accesses.upc", "taken", 18, 1, &upck_args[11], 0, &upck_shapes[11], 0 },
	{ "an access", "accesses.upc", "taken", 20, 1, &upck_args[12], 0, &upck_shapes[12], 0 },
};
# 2 "accesses.upc"
struct inner { char name[4]; int number; };
struct node { int value : 3; struct inner inner; shared struct node *next; int many[4]; int value2; };
shared int a[THREADS], *p;
shared struct node nodes[THREADS], *first;
strict shared [4] short *flags;
shared [4] int (*rows)[4];

int taken(int i)
{
shared int *upck_r1; shared int *upck_r2; shared int *upck_r3; shared struct node *upck_r4; shared struct node *upck_r5; shared struct node *upck_r6; shared struct node *upck_r7; shared struct node *upck_r8; shared struct node *upck_r9; shared struct node *upck_r10; shared struct node *upck_r11; strict shared [4] short int *upck_r12; shared int *upck_r13; shared int *q = &*p, *r = &p[i];
 shared [] int *s = &first[2].value2;
 shared [] int *t = first->many;
 * (upck_r1 =  p, upck_access(&upck_sites[0], upck_r1, 0, 4, 4), upck_r1) = (*(upck_r2 = & p[i], upck_access(&upck_sites[1], upck_r2, 0, 4, 4), upck_r2)) + * (upck_r3 =  (p + 1), upck_access(&upck_sites[2], upck_r3, 0, 4, 4), upck_r3) + a[i] + nodes[i].inner.number;
(upck_r4 =  first, upck_access(&upck_sites[3], upck_r4, 4, 1, 8), upck_r4) ->inner.number++;
(upck_r5 =  first, upck_access(&upck_sites[4], upck_r5, 0, 1, 8), upck_r5) ->value = (* (upck_r6 =  first, upck_access(&upck_sites[5], upck_r6, 0, 1, 8), upck_r6)).inner.number + (upck_r8 =  (upck_r7 =  first, upck_access(&upck_sites[6], upck_r7, 16, 8, 8), upck_r7) ->next, upck_access(&upck_sites[7], upck_r8, 4, 1, 8), upck_r8) ->inner.name[0] + (*(upck_r9 = & first[i], upck_access(&upck_sites[8], upck_r9, 0, 1, 8), upck_r9)).many[1] + rows[i][1] + (*rows)[2];
 * (upck_r10 =  first, upck_access(&upck_sites[9], upck_r10, 0, 48, 8), upck_r10) = (*(upck_r11 = & first[1], upck_access(&upck_sites[10], upck_r11, 0, 48, 8), upck_r11));
 while (!* (upck_r12 =  flags++, upck_access(&upck_sites[11], upck_r12, 0, 2, 2), upck_r12))
  ;
 return sizeof(*p) + (q == r) + (s == 0) + (t == 0) + * (upck_r13 =  a, upck_access(&upck_sites[12], upck_r13, 0, 4, 4), upck_r13);
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[13] = {
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 4, 2, 3, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, a, 4, 1, -1, 4 },
};
