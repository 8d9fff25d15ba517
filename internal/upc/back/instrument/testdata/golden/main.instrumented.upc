# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_barrier(const struct upck_site *, int, int);
void upck_leave(const struct upck_site *);
void upck_exit(const struct upck_site *, int) __attribute__((__noreturn__));
int upck_quit(const struct upck_site *, int);
static struct upck_shape upck_shapes[2];
static const struct upck_arg upck_args[2] = {
	{ "argc - 1", "argc declared at main.upc:7" },
	{ "4", 0 },
};
static const struct upck_site upck_sites[6] = {
	{ "return from main", "main.upc", "main", 10, 0, 0, 0, 0, 0 },
	{ "exit", "main.upc", "main", 12, 1, &upck_args[0], 0, &upck_shapes[0], 0 },
	{ "_exit", "main.upc", "main", 13, 1, &upck_args[1], 0, &upck_shapes[1], 0 },
	{ "return from main", "main.upc", "main", 16, 0, 0, 0, 0, 0 },
	{ "upc_barrier", "main.upc", "main", 19, 0, 0, 0, 0, 0 },
	{ "return from main", "main.upc", "main", 20, 0, 0, 0, 0, 0 },
};
# 1 "main.upc"
extern void exit(int);
extern void _exit(int);
extern void abort(void);
int printf(const char *, ...);
int upck_user_main(int argc, char **argv);
static int other(int n) { int main = n; return main; }
int upck_user_main(int argc, char **argv)
{
 if (argc == 1)
{ upck_leave(&upck_sites[0]); return other(argc); }
 if (argc == 2)
upck_exit(&upck_sites[1], argc - 1);
 else if (argc == 3) _exit(upck_quit(&upck_sites[2], 4));
 printf("%s %d\n", "main", (int)sizeof "main");
 if (argc > 10)
{ upck_leave(&upck_sites[3]); return upck_user_main(1, argv); }
 if (argc > 5)
  abort();
upck_barrier(&upck_sites[4], 0, 0);
upck_leave(&upck_sites[5]); return 0; }
# 1 "<upc-check>" 3
static struct upck_shape upck_shapes[2] = {
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
	{ -1, 0, 0, 0, 0, 0, -1, -1 },
};
