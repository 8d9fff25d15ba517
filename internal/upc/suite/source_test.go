//go:build !quick

package suite

import (
	"fmt"
	"strings"
)

const prelude = `#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
enum { ALL = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, NO = UPC_IN_NOSYNC | UPC_OUT_NOSYNC, N = 16 };
/* A grid with N cells on each thread, a second one for the next step, a table on thread 0, and a few numbers of each thread. */
extern shared [N] int grid[N * THREADS], next[N * THREADS];
extern shared [] int table[64];
extern shared int counts[THREADS], order[THREADS], total;
/* Another thread has come so far. It sees that without any synchronisation that the checks know of. */
#define UNTIL(what) while (!(what)) usleep(500)
`

const definitions = `shared [N] int grid[N * THREADS], next[N * THREADS];
shared [] int table[64];
shared int counts[THREADS], order[THREADS], total;
`

// text is all programs in two sources: their first files with main, and their second ones. Each file has lines of its
// own. The program's argument says which one runs; "twins" are all that can run one after the other.
func text(all []*program, form func(*program) []source) (first, second string) {
	var one, two, table strings.Builder
	one.WriteString(prelude + definitions)
	two.WriteString(prelude)
	for _, p := range all {
		for i, s := range form(p) {
			to := &one
			if i > 0 {
				to = &two
			}
			fmt.Fprintf(to, "# 1 \"%s\"\n%s", s.name, s.text)
		}
		least := p.threads[0]
		if p.alone() {
			least = 1 << 30
		}
		fmt.Fprintf(&table, "\t{\"%s\", %d, %s},\n", p.name, least, p.entry())
	}
	one.WriteString("# 1 \"table.upc\"\nstatic const struct { const char *name; int least; void (*run)(void); } " +
		"programs[] = {\n" + table.String() + `};
# 1 "main.upc"
int main(int argc, char **argv)
{
	int all = argc > 1 && strcmp(argv[1], "twins") == 0;
	for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof *programs; i++)
		if (all ? programs[i].least <= THREADS : strcmp(programs[i].name, argv[1]) == 0)
			programs[i].run();
	return 0;
}
`)
	return one.String(), two.String()
}
