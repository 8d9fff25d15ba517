//go:build !quick

package suite

import (
	"fmt"
	"strings"
	"testing"

	"unknot/internal/upc/check/catalogue"
)

// wrongUnasked are reported without --pointers.
var wrongUnasked = []wrongLine{
	{"LANG-23", "an assignment: pointer (`mine`) is the address of private memory", 15},
	{"TNOW-01", "an assignment: value (`upc_ticks_now()`) is stored in shared memory", 17},
	{"TONS-02", "upc_ticks_to_ns: value (`ticks[0]`) is read from shared memory", 19},
	{"LANG-26", "an assignment: lvalue (`*(shared int *)&limit`) is in limit, which is declared const.", 21},
	{"LANG-26", "an assignment: lvalue (`p[1]`) is in limits, which is declared const.", 24},
	{"FCTL-18", "an access: pointer (`name`) is what upc_all_fcntl gave at program.upc:37, and ended with " +
		"upc_all_fclose at program.upc:38.", 39},
	{"FCTL-18", "an access: pointer (`hints`) is what upc_all_fcntl gave at program.upc:31, and ended with " +
		"upc_all_fcntl at program.upc:34.", 35},
	{"RACE-22", "a statement: lvalue (`own[MYTHREAD]`) is the same object as `*local`", 43},
	{"RACE-22", "a statement: lvalue (`records[MYTHREAD].size`) is the same object as `local[0]`", 45},
	{"MPUT-07", "upc_memput: src (`row`) is transferred, and nothing has set it", 49},
	{"MPUT-07", "upc_memput: src (`row`) is transferred, and nothing has set it", 54},
	{"NPE-07", "upc_memput_nb: src (`&one`) is transferred, and nothing has set it", 59},
	{"NPI-07", "upc_memput_nbi: src (`&pair.second`) is transferred, and nothing has set it", 63},
	{"LANG-25", "an access: pointer (`fresh`) points to an object that was allocated and never written", 68},
}

const unasked = `#include <upc.h>
#include <upc_tick.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <stdlib.h>
#include <stdio.h>
shared const int limit = 3, limits[THREADS];
int *shared buffers[THREADS];
shared upc_tick_t ticks[THREADS];
static int mine[4];
int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : -1;
	if (which == 0)
		buffers[MYTHREAD] = mine;
	if (which == 1)
		ticks[MYTHREAD] = upc_ticks_now();
	if (which == 2)
		mine[0] = (int)upc_ticks_to_ns(upc_ticks_now() - ticks[0]);
	if (which == 3)
		*(shared int *)&limit = 4;
	if (which == 4) {
		shared int *p = (shared int *)limits;
		p[1]++;
	}
	upc_file_t *file = upc_all_fopen("data", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 1, &(upc_hint_t){"access_style", "write_once"});
	const char *name = 0;
	const upc_hint_t *hints;
	upc_all_fcntl(file, UPC_GET_FN, &name);
	printf("%.0s", name);
	int n = upc_all_fcntl(file, UPC_GET_HINTS, &hints);
	if (n > 0)
		printf("%.0s", hints->key);
	upc_all_fcntl(file, UPC_GET_FL, 0);
	if (which == 6 && hints[0].key)
		return 1;
	upc_all_fcntl(file, UPC_GET_FN, &name);
	if (upc_all_fclose(file) < 0) return 1;
	if (which == 5) printf("%s", name);
	static shared struct { int size; } records[THREADS];
	shared int *own = upc_all_alloc(2 * THREADS, sizeof(int));
	int *local = (int *)&own[MYTHREAD];
	if (which == 7) mine[0] = own[MYTHREAD]++ + *local;
	local = (int *)&records[MYTHREAD].size;
	if (which == 8) records[MYTHREAD].size = local[0]--;
	local = (int *)&own[MYTHREAD];
	if (which == 9) {
		int row[3];
		upc_memput(&own[MYTHREAD], row, sizeof row[0]);
	}
	if (which == 10) {
		int *row = malloc(2 * sizeof *row);
		for (int i = 0; i < 2; i++)
			upc_memput(&own[MYTHREAD], row, sizeof *row);
		free(row);
	}
	if (which == 11) {
		int one;
		upc_sync(upc_memput_nb(&own[MYTHREAD], &one, sizeof one));
	}
	if (which == 12) {
		struct { int first, second; } pair;
		upc_memput_nbi(&own[MYTHREAD], &pair.second, sizeof pair.second);
		upc_synci();
	}
	if (which == 13) {
		shared [] int *fresh = upc_alloc(3 * sizeof(int));
		mine[1] = fresh[1];
		upc_free(fresh);
	}
	/* What is right. */
	upc_tick_t start = upc_ticks_now();
	shared const int *q = &limit;
	own[MYTHREAD] = *q + limits[0];
	*local = own[MYTHREAD];
	own[MYTHREAD] = *local + own[MYTHREAD + THREADS] * *local;
	own[MYTHREAD] = abs((*local)++);
	mine[2] = own[MYTHREAD]++ + local[1];
	buffers[MYTHREAD] = 0;
	ticks[MYTHREAD] = upc_ticks_to_ns(upc_ticks_now() - start);
	int row[3], one, *made = malloc(sizeof *made), two = 2;
	for (int i = 0; i < 3; i++)
		row[i] = i;
	upc_memget(&one, &own[MYTHREAD], sizeof one);
	*made = 1;
	upc_memput(&own[MYTHREAD], row, sizeof row[0]);
	upc_memput(&own[MYTHREAD], &one, sizeof one);
	upc_memput(&own[MYTHREAD], made, sizeof *made);
	upc_memput(&own[MYTHREAD], &two, sizeof two);
	shared [] int *written = upc_alloc(3 * sizeof(int)), *put = upc_alloc(sizeof(int));
	written[0] = 1;
	upc_memput(put, &two, sizeof two);
	mine[3] = written[0] + *put;
	upc_barrier;
	return 0;
}
`

// What is checked without --pointers: warnings of what is legal only if they are asked for.
func TestUnaskedPointers(t *testing.T) {
	asked := map[string]bool{}
	for _, r := range catalogue.Rows() {
		asked[r.ID] = r.Asked
	}
	for k, l := range []launch{{mpi: "mpich", threads: 3}, {mpi: "openmpi", threads: 2, node: 1}} {
		program := shared.compile(t, l.mpi, true, []string{"-Wno-uninitialized", "-Wno-maybe-uninitialized"},
			source{"program.upc", unasked})
		for i, w := range wrongUnasked {
			if !hasTurn(i, k) {
				continue
			}
			l.env, l.args = nil, []string{fmt.Sprint(i)}
			if asked[w.id] {
				if status, told := run(t, l, program); status != 0 || told != "" {
					t.Errorf("%v, %s, not asked: status %d, told:\n%s", l, w.id, status, told)
				}
				l.env = []string{"UPCCHECK_SUSPICIOUS=TRUE"}
			}
			status, told := run(t, l, program)
			w.judge(t, l, status, told)
		}
		l.env, l.args = []string{"UPCCHECK_SUSPICIOUS=TRUE"}, nil
		if status, told := run(t, l, program); status != 0 || strings.Contains(told, "unknot:") {
			t.Errorf("%v: status %d, told:\n%s", l, status, told)
		}
	}
}
