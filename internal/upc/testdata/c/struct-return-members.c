#include <stdio.h>
struct v { double at[3]; };
static struct v cross(struct v a, struct v b) { return (struct v){ { a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2], a.at[0] * b.at[1] - a.at[1] * b.at[0] } }; }
static struct v scale(struct v a, double k) { for (int i = 0; i < 3; i++) a.at[i] *= k; return a; }
int main(void) {
	struct v x = { { 1, 0, 0 } }, y = { { 0, 1, 0 } };
	printf("%g %g\n", cross(x, y).at[2], scale(cross(y, x), 3).at[2]);
	printf("%g\n", (x = scale(y, 2)).at[1]);
	return 0;
}
