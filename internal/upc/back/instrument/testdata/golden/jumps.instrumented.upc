# 1 "<upc-check>" 3
struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
void upck_leave(const struct upck_site *);
void upck_wrong(const struct upck_site *, const char *, int, int, const char *, ...);
void upck_forall_begin(const struct upck_site *, int);
void upck_forall_end(const struct upck_site *, unsigned long, unsigned long);
int upck_forall_depth(void);
void upck_forall_left(int);
void upck_forall_negative(const struct upck_site *, long);
void upck_forall_enters(const struct upck_site *);
void upck_forall_setjmp(const void *);
void upck_forall_longjmp(const struct upck_site *, const void *);
static const struct upck_site upck_sites[15] = {
	{ "goto", "jumps.upc", "f", 12, 0, 0, 0, 0, 0 },
	{ "upc_forall", "jumps.upc", "f", 13, 0, 0, 0, 0, 0 },
	{ "return", "jumps.upc", "f", 15, 0, 0, 1, 0, 0 },
	{ "break", "jumps.upc", "f", 17, 0, 0, 1, 0, 0 },
	{ "goto", "jumps.upc", "f", 19, 0, 0, 1, 0, 0 },
	{ "longjmp", "jumps.upc", "f", 28, 0, 0, 1, 0, 0 },
	{ "upc_forall", "jumps.upc", "f", 31, 0, 0, 0, 0, 0 },
	{ "switch", "jumps.upc", "f", 32, 0, 0, 2, 0, 0 },
	{ "switch", "jumps.upc", "f", 34, 0, 0, 2, 0, 0 },
	{ "break", "jumps.upc", "f", 38, 0, 0, 2, 0, 0 },
	{ "switch", "jumps.upc", "f", 39, 0, 0, 2, 0, 0 },
	{ "upc_forall", "jumps.upc", "main", 46, 0, 0, 0, 0, 0 },
	{ "return", "jumps.upc", "main", 48, 0, 0, 3, 0, 0 },
	{ "return from main", "jumps.upc", "main", 48, 0, 0, 3, 0, 0 },
	{ "return from main", "jumps.upc", "main", 49, 0, 0, 0, 0, 0 },
};
# 1 "jumps.upc"
typedef struct { int place; } jmp_buf[1];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
shared int a[THREADS];
jmp_buf where;
int f(int n)
{
 int i;
 if (setjmp((upck_forall_setjmp(where), where)))
  return 0;
 if (n > 7)
{ upck_wrong(&upck_sites[0], "FORA-14", 1, -1, "it enters the body of the upc_forall of line 13"); goto inside; }
{ int upck_d1 = upck_forall_depth(); upck_forall_begin(&upck_sites[1], 1); unsigned long upck_n1 = 0, upck_h1 = 1; int upck_a1; int upck_m1 = 0; upc_forall (i = 0; ( i < n) && ++upck_n1; i++; upck_a1 = ( i), upck_h1 = (upck_h1 ^ (unsigned long)upck_a1) * 1099511628211UL, upck_m1 = upck_a1 < upck_m1 ? upck_a1 : upck_m1, upck_a1) {
  if (i == 1)
{ upck_wrong(&upck_sites[2], "FORA-11", 1, -1, "it leaves the body of the upc_forall"); upck_forall_left(upck_d1); return i; }
  if (i == 2)
{ upck_wrong(&upck_sites[3], "FORA-12", 1, -1, "it leaves the upc_forall"); upck_forall_left(upck_d1); break; }
  else if (i == 3)
{ upck_wrong(&upck_sites[4], "FORA-13", 1, -1, "it leaves the body of the upc_forall"); upck_forall_left(upck_d1); goto out; }
  for (;;)
   break;
  while (n) {
   goto inside;
  }
 inside:
  a[i] = 1;
  if (n == 9)
   longjmp((upck_forall_longjmp(&upck_sites[5], where), where), 1);
 } if (upck_m1 < 0) upck_forall_negative(&upck_sites[1], (long)upck_m1); upck_forall_end(&upck_sites[1], upck_h1, upck_n1); }
 switch (n)
{ int upck_d2 = upck_forall_depth(); upck_forall_begin(&upck_sites[6], 1); unsigned long upck_n2 = 0, upck_h2 = 1; int upck_a2; int upck_m2 = 0; upc_forall (i = 0; ( i < n) && ++upck_n2; i++; upck_a2 = ( i), upck_h2 = (upck_h2 ^ (unsigned long)upck_a2) * 1099511628211UL, upck_m2 = upck_a2 < upck_m2 ? upck_a2 : upck_m2, upck_a2) {
  case 1:
{ upck_forall_enters(&upck_sites[7]); a[0] = 2; }
  case 2:
{ upck_forall_enters(&upck_sites[8]); switch (i) {
   case 3: break;
   } }
{ upck_wrong(&upck_sites[9], "FORA-12", 1, -1, "it leaves the upc_forall"); upck_forall_left(upck_d2); break; }
  default: { upck_forall_enters(&upck_sites[10]); ; }
  } if (upck_m2 < 0) upck_forall_negative(&upck_sites[6], (long)upck_m2); upck_forall_end(&upck_sites[6], upck_h2, upck_n2); }
out:
 return 1;
}
int upck_user_main(void)
{
{ int upck_d3 = upck_forall_depth(); upck_forall_begin(&upck_sites[11], 1); unsigned long upck_n3 = 0, upck_h3 = 1; int upck_a3; int upck_m3 = 0; upc_forall (int i = 0; ( i < 3) && ++upck_n3; i++; upck_a3 = ( i), upck_h3 = (upck_h3 ^ (unsigned long)upck_a3) * 1099511628211UL, upck_m3 = upck_a3 < upck_m3 ? upck_a3 : upck_m3, upck_a3)
  if (i == 1)
{ upck_wrong(&upck_sites[12], "FORA-16", 1, -1, "the thread ends in the body of the upc_forall"); upck_forall_left(upck_d3); upck_leave(&upck_sites[13]); return 4; } if (upck_m3 < 0) upck_forall_negative(&upck_sites[11], (long)upck_m3); upck_forall_end(&upck_sites[11], upck_h3, upck_n3); }
upck_leave(&upck_sites[14]); return 0; }
