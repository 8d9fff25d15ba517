//go:build !quick

package suite

import (
	"strings"
	"testing"
)

// A value of UPCCHECK_SUSPICIOUS that is not understood is reported once, and the default is used, by which what is
// legal is not reported.
func TestSuspiciousNotUnderstood(t *testing.T) {
	const text = `#include <upc.h>
static char to[4], from[4];
shared [4] char all[4 * THREADS];
int main(void)
{
	upc_memget(to, &all[4 * MYTHREAD], 0);
	return from[0];
}
`
	l := launch{mpi: "mpich", threads: 3}
	path := shared.compile(t, l.mpi, true, nil, source{"program.upc", text})
	const want = "unknot: warning: UPCCHECK_SUSPICIOUS is \"perhaps\", which is not TRUE or FALSE; FALSE is used\n"
	l.env = []string{"UPCCHECK_SUSPICIOUS=perhaps"}
	if status, told := run(t, l, path); status != 0 || told != want {
		t.Errorf("status %d, told:\n%swant\n%s", status, told, want)
	}
	l.env = []string{"UPCCHECK_SUSPICIOUS=true"}
	if status, told := run(t, l, path); status != 0 || strings.Count(told, "unknot: warning: upc-suspicious") != 3 {
		t.Errorf("status %d, told:\n%s", status, told)
	}
}
