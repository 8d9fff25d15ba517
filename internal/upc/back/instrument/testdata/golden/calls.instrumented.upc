# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
shared void *upck_retyped(const struct upck_site *, shared const void *, unsigned long);
static struct upck_shape upck_shapes[25];
static const struct upck_arg upck_args[25] = {
	{ "n", "n declared at calls.upc:15" },
	{ "twice(n) * sizeof(long)", "n declared at calls.upc:15" },
	{ "upc_all_alloc(n, twice(n) * sizeof(long))", "n declared at calls.upc:15" },
	{ "table", "table declared at calls.upc:9" },
	{ "&sh_val", "sh_val declared at calls.upc:10" },
	{ "sizeof(int) * sh_val", "sh_val declared at calls.upc:10" },
	{ "0", 0 },
	{ "&buffer[2]", "buffer declared at calls.upc:17" },
	{ "(shared void *)grid", "grid declared at calls.upc:11" },
	{ "n", "n declared at calls.upc:15" },
	{ "buffer + 3", "buffer declared at calls.upc:17" },
	{ "&pairs[1].y", "pairs declared at calls.upc:12" },
	{ "sizeof pairs[0].y", "pairs declared at calls.upc:12" },
	{ "own + 1", "own declared at calls.upc:18" },
	{ "1", 0 },
	{ "upc_threadof(own + 1)", "own declared at calls.upc:18" },
	{ "upc_all_alloc(1, upc_threadof(own + 1))", "own declared at calls.upc:18" },
	{ "&table[k]", "table declared at calls.upc:9; k declared at calls.upc:25" },
	{ "own", "own declared at calls.upc:18" },
	{ "table", "table declared at calls.upc:9" },
	{ "&table[1]", "table declared at calls.upc:9" },
	{ "own", "own declared at calls.upc:18" },
	{ "own", "own declared at calls.upc:18" },
};
static const struct upck_site upck_sites[14] = {
	{ "upc_all_alloc", "calls.upc", "f", 18, 2, &upck_args[0], 0, &upck_shapes[0], 0 },
	{ "a cast", "calls.upc", "f", 18, 1, &upck_args[2], 0, &upck_shapes[3], 0 },
	{ "upc_all_broadcast", "calls.upc", "f", 19, 4, &upck_args[3], 0, &upck_shapes[4], 1 },
	{ "upc_memget", "calls.upc", "f", 22, 3, &upck_args[7], 0, &upck_shapes[8], 1 },
	{ "upc_memget", "calls.upc", "f", 22, 3, &upck_args[10], 0, &upck_shapes[11], 1 },
	{ "upc_threadof", "calls.upc", "f", 23, 1, &upck_args[13], 0, &upck_shapes[14], 0 },
	{ "upc_all_alloc", "calls.upc", "f", 23, 2, &upck_args[14], 0, &upck_shapes[15], 0 },
	{ "upc_threadof", "calls.upc", "f", 23, 1, &upck_args[16], 0, &upck_shapes[18], 0 },
	{ "upc_threadof", "calls.upc", "f", 25, 1, &upck_args[17], 0, &upck_shapes[19], 0 },
	{ "upc_threadof", "calls.upc", "f", 26, 1, &upck_args[18], 0, &upck_shapes[20], 0 },
	{ "upc_threadof", "calls.upc", "f", 26, 1, &upck_args[19], 0, &upck_shapes[21], 0 },
	{ "upc_threadof", "calls.upc", "f", 26, 1, &upck_args[20], 0, &upck_shapes[22], 0 },
	{ "upc_free", "calls.upc", "f", 27, 1, &upck_args[21], 0, &upck_shapes[23], 1 },
	{ "upc_threadof", "calls.upc", "f", 28, 1, &upck_args[22], 0, &upck_shapes[24], 0 },
};
# 1 "calls.upc"
typedef unsigned long size_t;
typedef int upc_flag_t;
shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_all_broadcast(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_memget(void *restrict dst, shared const void *restrict src, size_t n);
size_t upc_threadof(shared void *ptr);
void upc_free(shared void *ptr);
struct pair { int x; double y; };
shared [2] int table[2 * THREADS];
shared int sh_val;
extern shared [] double grid[];
static shared struct pair pairs[THREADS];
int twice(int n) { return 2 * n; }
# 1 "<upc-check>" 3
shared void *upckw_upc_all_alloc(const struct upck_site *, size_t, size_t);
# 1 "<upc-check>" 3
void upckw_upc_all_broadcast(const struct upck_site *, shared void *restrict, shared const void *restrict, size_t, upc_flag_t);
# 1 "<upc-check>" 3
void upckw_upc_memget(const struct upck_site *, void *restrict, shared const void *restrict, size_t);
# 1 "<upc-check>" 3
size_t upckw_upc_threadof(const struct upck_site *, shared void *);
# 1 "<upc-check>" 3
void upckw_upc_free(const struct upck_site *, shared void *);
# 15 "calls.upc"
void f(int n, void (*indirect)(shared void *))
{
 int buffer[10];
 shared [4] long *own = (shared [4] long *) upck_retyped(&upck_sites[1], upckw_upc_all_alloc(&upck_sites[0], n, twice(n) * sizeof(long)), 4);
upckw_upc_all_broadcast(&upck_sites[2], table, &sh_val,
                   sizeof(int) * sh_val, 0);
 GET(buffer, n);
upckw_upc_memget(&upck_sites[3], &buffer[2], (shared void *)grid, n); upckw_upc_memget(&upck_sites[4], buffer + 3, &pairs[1].y, sizeof pairs[0].y);
 n = (int) upckw_upc_threadof(&upck_sites[7], upckw_upc_all_alloc(&upck_sites[6], 1, upckw_upc_threadof(&upck_sites[5], own + 1)));
 n += sizeof(upc_threadof(own)) + sizeof(int[2]);
 n += ({ int k = 1; upckw_upc_threadof(&upck_sites[8], &table[k]); });
 for (size_t i = upckw_upc_threadof(&upck_sites[9], own); i < upckw_upc_threadof(&upck_sites[10], table); i += upckw_upc_threadof(&upck_sites[11], &table[1]))
  (upckw_upc_free)(&upck_sites[12], own);
 (void) upckw_upc_threadof(&upck_sites[13], own);
 indirect(own);
 (*indirect)(own);
}
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[25] = {
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 4, 8, 7, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 2, 4, 5, table, 8, 1, -1, 8 },
	{ 1, 4, 5, &sh_val, 4, 0, -1, 4 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 4, 5, 0, 0, 0, 32, -1 },
	{ 0, 8, 10, grid, 0, 0, -1, 0 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 4, 5, 0, 0, 0, 28, -1 },
	{ 0, 8, 10, pairs, 16, 1, -1, 16 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 4, 8, 7, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ 2, 4, 5, table, 8, 1, -1, 8 },
	{ 4, 8, 7, 0, 0, 0, -1, -1 },
	{ 2, 4, 5, table, 8, 1, -1, 8 },
	{ 2, 4, 5, table, 8, 1, -1, 8 },
	{ 4, 8, 7, 0, 0, 0, -1, -1 },
	{ 4, 8, 7, 0, 0, 0, -1, -1 },
};
