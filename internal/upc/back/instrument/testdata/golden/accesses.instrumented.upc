# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_access(const struct upck_site *, shared const void *, unsigned long, unsigned long, unsigned long);
void upck_element(const struct upck_site *, shared const void *, shared const void *, unsigned long, unsigned long, unsigned long, unsigned long);
void upck_walked(const struct upck_site *, shared const void *, shared const void *, unsigned long, unsigned long);
long upck_index(const struct upck_site *, long, unsigned long, int, int);
static struct upck_shape upck_shapes[19];
static const struct upck_arg upck_args[19] = {
	{ "p[i]", "p declared at accesses.upc:4; i declared at accesses.upc:9" },
	{ "first[2]", "first declared at accesses.upc:5" },
	{ "p", "p declared at accesses.upc:4" },
	{ "p[i]", "p declared at accesses.upc:4; i declared at accesses.upc:9" },
	{ "p + 1", "p declared at accesses.upc:4" },
	{ "(p + 1)", "p declared at accesses.upc:4" },
	{ "i", "i declared at accesses.upc:9" },
	{ "i", "i declared at accesses.upc:9" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first->next", "first declared at accesses.upc:5" },
	{ "first[i]", "first declared at accesses.upc:5; i declared at accesses.upc:9" },
	{ "first", "first declared at accesses.upc:5" },
	{ "first[1]", "first declared at accesses.upc:5" },
	{ "flags++", "flags declared at accesses.upc:6" },
	{ "flags++", "flags declared at accesses.upc:6" },
	{ "a", "a declared at accesses.upc:4" },
};
static const struct upck_site upck_sites[19] = {
	{ "arithmetic", "accesses.upc", "taken", 11, 1, &upck_args[0], 0, &upck_shapes[0], 0 },
	{ "arithmetic", "accesses.upc", "taken", 12, 1, &upck_args[1], 0, &upck_shapes[1], 0 },
	{ "an access", "accesses.upc", "taken", 14, 1, &upck_args[2], 0, &upck_shapes[2], 0 },
	{ "an access", "accesses.upc", "taken", 14, 1, &upck_args[3], 0, &upck_shapes[3], 0 },
	{ "arithmetic", "accesses.upc", "taken", 14, 1, &upck_args[4], 0, &upck_shapes[4], 0 },
	{ "an access", "accesses.upc", "taken", 14, 1, &upck_args[5], 0, &upck_shapes[5], 0 },
	{ "a subscript", "accesses.upc", "taken", 14, 1, &upck_args[6], 0, &upck_shapes[6], 0 },
	{ "a subscript", "accesses.upc", "taken", 14, 1, &upck_args[7], 0, &upck_shapes[7], 0 },
	{ "an access", "accesses.upc", "taken", 15, 1, &upck_args[8], 0, &upck_shapes[8], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[9], 0, &upck_shapes[9], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[10], 0, &upck_shapes[10], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[11], 0, &upck_shapes[11], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[12], 0, &upck_shapes[12], 0 },
	{ "an access", "accesses.upc", "taken", 16, 1, &upck_args[13], 0, &upck_shapes[13], 0 },
	{ "an access", "accesses.upc", "taken", 17, 1, &upck_args[14], 0, &upck_shapes[14], 0 },
	{ "an access", "accesses.upc", "taken", 17, 1, &upck_args[15], 0, &upck_shapes[15], 0 },
	{ "arithmetic", "accesses.upc", "taken", 18, 1, &upck_args[16], 0, &upck_shapes[16], 0 },
	{ "an access", "accesses.upc", "taken", 18, 1, &upck_args[17], 0, &upck_shapes[17], 0 },
	{ "an access", "accesses.upc", "taken", 20, 1, &upck_args[18], 0, &upck_shapes[18], 0 },
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
shared int *upck_r1; shared int *upck_r2; shared struct node *upck_r3; shared struct node *upck_r4; shared int *upck_r5; shared int *upck_r6; shared int *upck_r7; shared int *upck_r8; shared int *upck_r9; shared int *upck_r10; shared struct node *upck_r11; shared struct node *upck_r12; shared struct node *upck_r13; shared struct node *upck_r14; shared struct node *upck_r15; shared struct node *upck_r16; shared struct node *upck_r17; shared struct node *upck_r18; shared struct node *upck_r19; shared struct node *upck_r20; strict shared [4] short int *upck_r21; shared int *upck_r22; shared int *q = &*p, *r = & (*(upck_r2 = & (upck_r1 = p)[i], upck_walked(&upck_sites[0], upck_r1, upck_r2, 1, 4), upck_r2));
 shared [] int *s = & (*(upck_r4 = & (upck_r3 = first)[2], upck_walked(&upck_sites[1], upck_r3, upck_r4, 1, 48), upck_r4)).value2;
 shared [] int *t = first->many;
 * (upck_r5 = p, upck_access(&upck_sites[2], upck_r5, 0, 4, 4), upck_r5) = (*(upck_r7 = & (upck_r6 = p)[i], upck_element(&upck_sites[3], upck_r6, upck_r7, 1, 4, 4, 4), upck_r7)) + * (upck_r10 = ((upck_r9 = (upck_r8 = p) + 1, upck_walked(&upck_sites[4], upck_r8, upck_r9, 1, 4), upck_r9)), upck_access(&upck_sites[5], upck_r10, 0, 4, 4), upck_r10) + a[ upck_index(&upck_sites[6], ( i), 1UL * THREADS, 0, 0)] + nodes[ upck_index(&upck_sites[7], ( i), 1UL * THREADS, 0, 0)].inner.number;
(upck_r11 = first, upck_access(&upck_sites[8], upck_r11, 4, 1, 8), upck_r11) ->inner.number++;
(upck_r12 = first, upck_access(&upck_sites[9], upck_r12, 0, 1, 8), upck_r12) ->value = (* (upck_r13 = first, upck_access(&upck_sites[10], upck_r13, 0, 1, 8), upck_r13)).inner.number + (upck_r15 = (upck_r14 = first, upck_access(&upck_sites[11], upck_r14, 16, 8, 8), upck_r14) ->next, upck_access(&upck_sites[12], upck_r15, 4, 1, 8), upck_r15) ->inner.name[0] + (*(upck_r17 = & (upck_r16 = first)[i], upck_element(&upck_sites[13], upck_r16, upck_r17, 1, 48, 1, 8), upck_r17)).many[1] + rows[i][1] + (*rows)[2];
 * (upck_r18 = first, upck_access(&upck_sites[14], upck_r18, 0, 48, 8), upck_r18) = (*(upck_r20 = & (upck_r19 = first)[1], upck_element(&upck_sites[15], upck_r19, upck_r20, 1, 48, 48, 8), upck_r20));
 while (!* (upck_r21 = (upck_walked(&upck_sites[16], flags, flags + 1, 4, 2), flags++) , upck_access(&upck_sites[17], upck_r21, 0, 2, 2), upck_r21))
  ;
 return sizeof(*p) + (q == r) + (s == 0) + (t == 0) + * (upck_r22 = a, upck_access(&upck_sites[18], upck_r22, 0, 4, 4), upck_r22);
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[19] = {
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 48, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 4, 2, 3, 0, 0, 0, -1, -1 },
	{ 4, 2, 3, 0, 0, 0, -1, -1 },
	{ 1, 4, 5, a, 4, 1, -1, 4 },
};
