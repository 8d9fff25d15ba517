/* Whole structs and unions are copied with their padding, wherever they are: programs compare them by memcmp, which C leaves to the compiler. */
#include "check.h"
struct padded { char c; int i; char d; double x; char e; };
typedef union { struct padded p; char bytes[5]; } either;
struct bits { unsigned a : 3, : 7, b : 9; const char k[3]; };
static shared struct padded a[2 * THREADS], b[2 * THREADS];
static strict shared struct padded sa[THREADS], sb[THREADS];
static shared struct { short s[3]; long l; struct padded in[2]; } nested[THREADS];
static shared either unions[THREADS];
static shared struct bits fields[THREADS];
static shared volatile struct padded waited[THREADS];
static struct padded global;
static struct padded from(int i) { return a[i]; }
static void to(int i, struct padded v) { b[i] = v; }
static int differ(struct padded x, struct padded y) { return memcmp(&x, &y, sizeof x); }
#define SAME(x, y) CHECK(memcmp(&(x), &(y), sizeof(x)) == 0)
/* What b[i] has, byte by byte. */
#define LOOK(o, v) (memset(&(v), 0, sizeof(v)), upc_memget(&(v), &(o), sizeof(v)))
void test_padding(void)
{
	int me = MYTHREAD, next = (me + 1) % THREADS;
	struct padded o, want, t, u;
	memset(&o, 0x5a + me, sizeof o);
	o.c = 1, o.i = 2, o.d = 3, o.x = 4, o.e = me;
	upc_memput(&a[me], &o, sizeof o);
	upc_memput(&sa[me], &o, sizeof o);
	upc_barrier;
	upc_memget(&want, &a[next], sizeof want);
	t = a[me]; SAME(t, o);
	t = a[next]; SAME(t, want);
	global = a[next]; SAME(global, want);
	global = from(me); SAME(global, o);
	CHECK(!differ(a[next], want) && !differ(want, from(next)));
	struct padded init = a[next]; SAME(init, want);
	t = me >= 0 ? a[next] : o; SAME(t, want);
	t = (me++, a[next]); me--; SAME(t, want);
	b[next] = want; LOOK(b[next], t); SAME(t, want);
	to(next + THREADS, want); LOOK(b[next + THREADS], t); SAME(t, want);
	b[next + THREADS] = b[next] = u = a[next]; SAME(u, want); LOOK(b[next], t); SAME(t, want); LOOK(b[next + THREADS], t); SAME(t, want);
	shared struct padded *p = &a[next];
	t = *p++; SAME(t, want); CHECK(p == &a[next + 1]);
	upc_barrier;
	t = sa[next]; SAME(t, want);
	sb[next] = sa[next]; LOOK(sb[next], t); SAME(t, want);
	t = sb[me] = o; SAME(t, o);
	waited[me] = want; t = waited[me]; SAME(t, want);
	upc_barrier;
	struct padded pair[2] = { o, want };
	upc_memput(nested[next].in, pair, sizeof pair);
	t = nested[next].in[1]; SAME(t, want);
	nested[next] = nested[next]; t = nested[next].in[0]; SAME(t, o);
	either e, f;
	memset(&e, 7, sizeof e);
	unions[next] = e; f = unions[next]; SAME(f, e);
	struct bits g, h;
	memset(&g, 0xc3, sizeof g);
	upc_memput(&fields[next], &g, sizeof g);
	struct bits copy = fields[next]; SAME(copy, g);
	CHECK(copy.b == g.b && copy.k[1] == g.k[1]);
	LOOK(fields[next], h); SAME(h, g);
	upc_forall (int i = 0; i < 2 * THREADS; i++; &a[i]) { b[i] = o; t = b[i]; SAME(t, o); a[i] = b[i]; LOOK(a[i], t); SAME(t, o); }
	for (int i = 0; i < THREADS; i++) { t = sa[i]; b[me] = t; LOOK(b[me], u); SAME(u, t); }
	upc_barrier;
}
