//go:build !quick

package suite

import (
	"fmt"
	"strings"
	"testing"

	"unknot/internal/upc/check/catalogue"
)

// wrongLine is a mistake with pointers: the row that is reported, words, and the line; the program's argument says
// which is made.
type wrongLine struct {
	id, words string
	line      int
}

// wrongAccesses are accesses through pointers.
var wrongAccesses = []wrongLine{
	{"LANG-02", "an access: pointer (`kept`) points to memory that was freed at program.upc:38 (allocated at " +
		"program.upc:31). [LANG-02]", 39},
	{"LANG-02", "an access: pointer (`list`) points to memory that was freed at program.upc:18 (allocated at " +
		"program.upc:13). [LANG-02]", 21},
	{"LANG-03", "an access: pointer (`(shared [] int *)(bytes + 4)`) needs 4 bytes from byte 4 on of its object's " +
		"part on thread", 45},
	{"LANG-03", "an access: pointer (`few[THREADS + 1]`) needs 4 bytes from byte 4 on of its object's part on thread " +
		"1, and the part has 4", 48},
	{"LANG-06", "an access: pointer (`(shared [] int *)(bytes + at)`) points to address ", 51},
	{"LANG-03", "an access: pointer (`out[0][3]`) points to no object: it is 0 bytes beyond the end of the nearest " +
		"one on thread 0", 56},
	{"LANG-04", "an access: pointer (`out[MYTHREAD][-1]`) points to no object: it is 4 bytes before the start of the " +
		"nearest one on thread", 58},
	{"LANG-03", "an access: pointer (`kept[THREADS]`) points to no object: it is 0 bytes beyond the end of the " +
		"nearest one on thread 0, allocated at program.upc:31", 60},
	{"LANG-02", "an access: pointer (`first[1]`) points to an object that another thread freed already", 67},
}

const accesses = `#include <upc.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; unsigned low : 3, high : 5; shared [] struct node *next; char name[6]; };
struct __attribute__((packed)) odd { char first; int second; };
union both { int number; struct node node; };
shared [4] int grid[4 * THREADS];
shared [] struct node *shared lists[THREADS];
shared int end;
strict shared int ready;
static int freed_too_early(int early)
{
	shared [] struct node *list = upc_alloc(sizeof(struct node));
	list->next = 0;
	list->value = 1;
	list->low = list->high = 2;
	if (early)
		upc_free(list);
	int sum = 0;
	while (list) {
		sum += list->value + (int)list->high;
		shared [] struct node *next = list->next;
		if (!early)
			upc_free(list);
		list = next;
	}
	return sum;
}
int main(int argc, char **argv)
{
	shared int *kept = upc_all_alloc(THREADS, sizeof(int)), *few = upc_all_alloc(THREADS + 1, sizeof(int));
	int which = argc > 1 ? atoi(argv[1]) : -1;
	shared [] char *bytes = upc_alloc(6);
	upc_barrier;
	kept[MYTHREAD] = *(kept + MYTHREAD) + 1;
	upc_barrier;
	if (which == 0)
		upc_all_free(kept);
	*kept = 2;
	upc_barrier;
	if (which == 1 && MYTHREAD == THREADS - 1)
		freed_too_early(1);
	if (which == 2)
		bytes[4] = bytes[5] = 1,
		*(shared [] int *)(bytes + 4) = 1;
	if (which == 3)
		few[THREADS] = 1,
		few[THREADS + 1]++;
	int at = 2;
	if (which == 4 && MYTHREAD == 0)
		*(shared [] int *)(bytes + at) = 1;
	shared [] int *shared *out = (shared [] int *shared *)upc_all_alloc(THREADS, sizeof(shared [] int *));
	out[MYTHREAD] = upc_alloc(3 * sizeof(int));
	upc_barrier;
	if (which == 5)
		out[0][3] = 1;
	if (which == 6)
		out[MYTHREAD][-1] = out[0][2] = 1;
	if (which == 7)
		kept[THREADS] = 1;
	shared [] int *first = out[0];
	upc_barrier;
	if (which == 8 && MYTHREAD == 0)
		upc_free(first);
	upc_barrier;
	if (MYTHREAD == 1)
		first[1] = 1;
	upc_barrier; /* before its memory is used again */
	/* What is right. */
	int sum = freed_too_early(0);
	few[THREADS] = 1;
	*(shared [] int *)bytes = 1;
	shared [] struct odd *odd = upc_alloc(3 * sizeof(struct odd));
	odd[1].second = 3;
	(odd + 2)->second = odd[1].second;
	/* A union is only as large as what is used of it. */
	shared [] union both *number = upc_alloc(sizeof(int));
	number->number = 4;
	/* Objects of other threads, freed by others than those that allocated them, and memory that is used again. */
	for (int turn = 0; turn < 20; turn++) {
		lists[MYTHREAD] = upc_alloc(sizeof(struct node) + (size_t)turn);
		lists[MYTHREAD]->value = turn;
		strcpy((char *)lists[MYTHREAD]->name, "name");
		upc_barrier;
		shared [] struct node *other = lists[(MYTHREAD + 1) % THREADS];
		sum += other->value + other->name[1];
		other->low = 1;
		other->next = other;
		upc_barrier;
		shared [] struct node *old = other;
		upc_free(other);
		upc_barrier;
		shared [] struct node *again = upc_alloc(8 * sizeof(struct node));
		again[7] = *again;
		if (old == again)
			old->value = again[0].value;
		upc_barrier;
		upc_free(again);
		shared int *all = upc_all_alloc(THREADS, 3 * sizeof(int));
		*(all + MYTHREAD) = all[MYTHREAD];
		upc_all_free(all);
	}
	shared [4] int *cell = grid + 4 * MYTHREAD, *last = &cell[3];
	for (; cell <= last; cell++)
		*cell = (&*cell == &cell[0]) + sum;
	if (MYTHREAD == 0)
		*&end = 1, *&ready = 1;
	upc_barrier;
	return 0;
}
`

// Each access through a pointer is checked if that was asked for, and correct accesses are not reported.
func TestAccesses(t *testing.T) {
	accessed(t, accesses, wrongAccesses)
}

// hasTurn says whether a mistake runs with the first of two launches, which is MPICH's, or with the second: three of
// four with the first, nightly each with both.
func hasTurn(mistake, launch int) bool { return !few() || (mistake%4 == 0) == (launch == 1) }

// accessed runs a program with each of its mistakes, and without.
func accessed(t *testing.T, text string, wrong []wrongLine) {
	t.Helper()
	source := source{"program.upc", text}
	for k, l := range []launch{{mpi: "mpich", threads: 3}, {mpi: "openmpi", threads: 2, node: 1}} {
		program := shared.compile(t, l.mpi, true, []string{"--pointers"}, source)
		for _, threads := range []int{1, l.threads} {
			l := launch{mpi: l.mpi, threads: threads, node: l.node}
			if status, told := run(t, l, program); status != 0 || told != "" {
				t.Errorf("%v: status %d, told:\n%s", l, status, told)
			}
		}
		for i, w := range wrong {
			if !hasTurn(i, k) {
				continue
			}
			l.args = []string{fmt.Sprint(i)}
			status, told := run(t, l, program)
			w.judge(t, l, status, told)
		}
	}
}

// judge looks at what a program reported: an error of one thread, or the warnings of all.
func (w wrongLine) judge(t *testing.T, l launch, status int, told string) {
	t.Helper()
	want, most := 66, 1
	if severity(w.id) == "warning" {
		want, most = 0, l.threads
	}
	if w.id == "LANG-09" {
		want = status // what follows a null pointer dies of it
	}
	if n := reports(told); status != want && !launcherBroke(status, told) || n < 1 || n > most ||
		!strings.Contains(told, " is at "+w.words) ||
		!strings.Contains(told, fmt.Sprintf("(program.upc:%d)", w.line)) || strings.Count(told, "["+w.id+"]") != n {
		t.Errorf("%v, %s: status %d, told:\n%s", l, w.id, status, told)
	}
}

func severity(id string) string {
	for _, r := range catalogue.Rows() {
		if r.ID == id {
			return r.Class.Severity()
		}
	}
	return ""
}
