#include <stdio.h>
struct p { int x, y; };
static int len(const struct p *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i].x * p[i].x + p[i].y * p[i].y; return s; }
static int *global = (int[]){ 5, 6, 7 };
int main(void) {
	printf("%d %d\n", len(&(struct p){ 3, 4 }, 1), len((struct p[]){ { 1, 2 }, { .y = 5 } }, 2));
	int *q = (int[3]){ [1] = 9 };
	q[0]++;
	printf("%d %d %d %zu\n", q[0], q[1], global[2], sizeof((char[]){ "four" }));
	for (int i = 0; i < 2; i++) { struct p *r = &(struct p){ i, 2 * i }; r->x += 10; printf("%d %d ", r->x, r->y); }
	printf("%s\n", (const char *[]){ "no", "yes" }[1]);
	return 0;
}
