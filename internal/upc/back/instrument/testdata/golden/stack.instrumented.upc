# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_push(const struct upck_site *);
void upck_pop(void);
static struct upck_shape upck_shapes[1];
static const struct upck_arg upck_args[1] = {
	{ "s()", 0 },
};
static const struct upck_site upck_sites[11] = {
	{ "g", "stack.upc", "f", 15, 0, 0, 0, 0, 0 },
	{ "g", "stack.upc", "f", 16, 0, 0, 0, 0, 0 },
	{ "g", "stack.upc", "f", 16, 0, 0, 0, 0, 0 },
	{ "g", "stack.upc", "f", 16, 0, 0, 0, 0, 0 },
	{ "h", "stack.upc", "f", 16, 0, 0, 0, 0, 0 },
	{ "r", "stack.upc", "f", 17, 0, 0, 0, 0, 0 },
	{ "p", "stack.upc", "f", 17, 0, 0, 0, 0, 0 },
	{ "s", "stack.upc", "f", 18, 0, 0, 0, 0, 0 },
	{ "upc_free", "stack.upc", "f", 18, 1, &upck_args[0], 0, &upck_shapes[0], 1 },
	{ "s", "stack.upc", "f", 20, 0, 0, 0, 0, 0 },
	{ "g", "stack.upc", "f", 20, 0, 0, 0, 0, 0 },
};
# 1 "stack.upc"
struct pair { int x, y; };
typedef double real;
int g(int);
void h(void);
struct pair p(void);
real r(const char *);
shared int *s(void);
int printf(const char *, ...);
void upc_free(shared void *);
# 1 "<upc-check>" 3
void upckw_upc_free(const struct upck_site *, shared void *);
# 10 "stack.upc"
int f(int n)
{
#pragma upc strict
int upck_r1; int upck_r2; int upck_r3; int upck_r4; real upck_r5; struct pair upck_r6; shared int *upck_r7; shared int *upck_r8; int upck_r9; struct local { int x; };
 struct local local(void);
 int i = (upck_push(&upck_sites[0]), upck_r1 = g(n), upck_pop(), upck_r1);
 for (i = (upck_push(&upck_sites[2]), upck_r3 = g((upck_push(&upck_sites[1]), upck_r2 = g(0), upck_pop(), upck_r2)), upck_pop(), upck_r3); i < (upck_push(&upck_sites[3]), upck_r4 = g(2), upck_pop(), upck_r4); (upck_push(&upck_sites[4]), h(), upck_pop()))
  n += (int) (upck_push(&upck_sites[5]), upck_r5 = r("x"), upck_pop(), upck_r5) + (upck_push(&upck_sites[6]), upck_r6 = p(), upck_pop(), upck_r6).x;
upckw_upc_free(&upck_sites[8], (upck_push(&upck_sites[7]), upck_r7 = s(), upck_pop(), upck_r7));
 local();
 return(upck_push(&upck_sites[10]), upck_r9 = g(* (upck_push(&upck_sites[9]), upck_r8 = s(), upck_pop(), upck_r8)), upck_pop(), upck_r9);
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[1] = {
	{ 1, 4, 5, 0, 0, 0, -1, -1 },
};
