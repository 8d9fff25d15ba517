/* Pointers-to-shared that are themselves shared, in structs and unions, and pointers to them. */
#include "check.h"
struct node { int value; shared struct node *next; shared struct node *shared *root; };
static shared struct node nodes[10 * THREADS];
static shared struct node *shared head;
static shared [] int *shared rows[3 * THREADS];
union u { shared int *p; long bits; };
int private_value;
static int *shared where;
static shared int x[4 * THREADS];
void test_indirect(void)
{
	int i, n = 0;
	shared struct node *p;
	union u u;
	shared [] int *shared *pr;
	shared int *table[2][3], *(*pt)[3] = table;
	if (MYTHREAD == 0) {
		head = 0;
		for (i = 10 * THREADS; i-- > 0;) {
			nodes[i].value = i;
			nodes[i].next = head;
			nodes[i].root = &head;
			head = &nodes[i];
		}
		where = &private_value;
		*where = 31;
		CHECK(private_value == 31 && where == &private_value);
	}
	upc_barrier;
	for (p = head; p; p = p->next)
		n += p->value;
	CHECK(n == 5 * THREADS * (10 * THREADS - 1));
	CHECK(head->next->next->value == 2 && (*head->root)->value == 0 && (*nodes[3].root)->next == &nodes[1]);
	upc_barrier;
	for (i = MYTHREAD; i < 3 * THREADS; i += THREADS) {
		rows[i] = (shared [] int *)&x[MYTHREAD];
		rows[i][0] = MYTHREAD;
		*rows[i] += 5;
	}
	upc_barrier;
	pr = rows;
	for (i = 0; i < 3 * THREADS; i++, pr++)
		CHECK(rows[i][0] == i % THREADS + 5 && **pr == i % THREADS + 5 && (*pr)[0] == *rows[i] && pr == &rows[i]);
	u.p = x; u.p++; CHECK(u.p == &x[1]);
	table[1][2] = x + 3; CHECK(pt[1][2] == &x[3] && (*++pt)[2] == &x[3]);
	upc_barrier;
}
