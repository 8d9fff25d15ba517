# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
int upck_spins(const struct upck_site *, int);
static struct upck_shape upck_shapes[10];
static const struct upck_arg upck_args[10] = {
	{ "l", "l declared at endless.upc:8" },
	{ "l", "l declared at endless.upc:8" },
	{ "l", "l declared at endless.upc:8" },
	{ "l", "l declared at endless.upc:8" },
	{ "where", "where declared at endless.upc:7" },
	{ "l", "l declared at endless.upc:8" },
	{ "l", "l declared at endless.upc:8" },
	{ "all[n]", "all declared at endless.upc:8; n declared at endless.upc:8" },
	{ "l", "l declared at endless.upc:8" },
	{ "l", "l declared at endless.upc:8" },
};
static const struct upck_site upck_sites[13] = {
	{ "a loop that reads `!flag`", "endless.upc", "f", 10, 0, 0, 0, 0, 0 },
	{ "a loop that reads `flags[n + 1] != 3`", "endless.upc", "f", 14, 0, 0, 0, 0, 0 },
	{ "a loop that reads `flag == i || weak`", "endless.upc", "f", 15, 0, 0, 0, 0, 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 17, 1, &upck_args[0], 0, &upck_shapes[0], 0, 1 },
	{ "upc_lock_attempt", "endless.upc", "f", 21, 1, &upck_args[1], 0, &upck_shapes[1], 0, 1 },
	{ "upc_lock_attempt", "endless.upc", "f", 22, 1, &upck_args[2], 0, &upck_shapes[2], 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 24, 1, &upck_args[3], 0, &upck_shapes[3], 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 42, 1, &upck_args[4], 0, &upck_shapes[4], 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 44, 1, &upck_args[5], 0, &upck_shapes[5], 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 46, 1, &upck_args[6], 0, &upck_shapes[6], 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 48, 1, &upck_args[7], 0, &upck_shapes[7], 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 50, 1, &upck_args[8], 0, &upck_shapes[8], 0 },
	{ "upc_lock_attempt", "endless.upc", "f", 53, 1, &upck_args[9], 0, &upck_shapes[9], 0 },
};
# 1 "endless.upc"
typedef struct upc_lock_t upc_lock_t;
int upc_lock_attempt(shared upc_lock_t *);
int usleep(unsigned);
int next(void);
strict shared int flag, flags[THREADS];
shared int weak;
shared upc_lock_t *shared where;
# 1 "<upc-check>" 3
int upckw_upc_lock_attempt(const struct upck_site *, shared upc_lock_t *);
# 8 "endless.upc"
void f(shared upc_lock_t *l, int n, volatile int *seen, shared upc_lock_t **all)
{
 while (upck_spins(&upck_sites[0], ( !flag) != 0))
  ;
 do {
  upc_fence;
 } while (upck_spins(&upck_sites[1], ( flags[n + 1] != 3) != 0));
 for (int i = 0; upck_spins(&upck_sites[2], ( flag == i || weak) != 0);)
  usleep(10);
 while (! upckw_upc_lock_attempt(&upck_sites[3], l)) {
 }
 do
  usleep(100);
 while (0 == upckw_upc_lock_attempt(&upck_sites[4], l));
 while (! upckw_upc_lock_attempt(&upck_sites[5], l))
  n++;
 for (; ! upckw_upc_lock_attempt(&upck_sites[6], l); n += 2)
  usleep(100);

 while (!flag && n++ < 10)
  ;
 while (!flag)
  next();
 for (; !flag; n++)
  ;
 while (!flag)
  if (n)
   break;
 while (flag == next())
  ;
 while (flag == *seen)
  ;
 while (!weak)
  ;
 while (! upckw_upc_lock_attempt(&upck_sites[7], where))
  ;
 while (! upckw_upc_lock_attempt(&upck_sites[8], l) && n)
  ;
 while (! upckw_upc_lock_attempt(&upck_sites[9], l))
  weak++;
 while (! upckw_upc_lock_attempt(&upck_sites[10], all[n]))
  n++;
 while (! upckw_upc_lock_attempt(&upck_sites[11], l))
  if (n++ > 10)
   break;
 if (! upckw_upc_lock_attempt(&upck_sites[12], l))
  n = 0;
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[10] = {
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
	{ 1, 0, 0, 0, 0, 0, -1, -1 },
};
