//go:build !quick

package suite

import (
	"fmt"
	"strings"
	"testing"
)

// endless has loops that wait for other threads, each in a different way: those that never end, and such that do.
const endless = `#include <upc_relaxed.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static strict shared int flag, flags[THREADS];
static shared int relaxed_flag;
static upc_lock_t *one, *other;
static void *later(void *x)
{
	sleep(2);
	flag = 1;
	return x;
}
static void handler(int s)
{
	(void)s;
	flag = 1;
}
static void at_exit(void)
{
	sleep(2);
	flag = 1;
}
static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }
int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	long n = 0;
	one = upc_all_lock_alloc();
	other = upc_all_lock_alloc();
	upc_barrier;
	if (is(way, "flag") && MYTHREAD == 0) {
		while (!flag) /* flag */
			;
	} else if (is(way, "ended")) {
		if (MYTHREAD == 1)
			do {
				upc_fence;
			} while (flag == 0); /* ended */
		return 0;
	} else if (is(way, "ring")) {
		for (; flags[(MYTHREAD + 1) % THREADS] == 0;) /* ring */
			usleep(10);
		flags[MYTHREAD] = 1;
	} else if (is(way, "lock")) {
		if (MYTHREAD == 0)
			upc_lock(one);
		upc_barrier;
		if (MYTHREAD == 1)
			while (!upc_lock_attempt(one)) /* lock */
				;
		upc_barrier;
	} else if (is(way, "counted")) {
		if (MYTHREAD == 0)
			upc_lock(one);
		upc_barrier;
		if (MYTHREAD == 1)
			while (!upc_lock_attempt(one)) /* counted */
				n++;
		upc_barrier;
	} else if (is(way, "locks")) {
		upc_lock_t *mine = MYTHREAD ? one : other, *wanted = MYTHREAD ? other : one;
		if (MYTHREAD < 2)
			upc_lock(mine);
		upc_barrier;
		if (MYTHREAD < 2)
			while (upc_lock_attempt(wanted) == 0) /* locks */
				usleep(100);
	} else if (is(way, "both")) {
		if (MYTHREAD == 0)
			upc_lock(one);
		upc_barrier;
		if (MYTHREAD == 0) {
			while (!flag) /* both */
				;
			upc_unlock(one);
		} else if (MYTHREAD == 1) {
			while (!upc_lock_attempt(one)) /* both */
				;
			flag = 1;
		}
	} else if (is(way, "set late")) {
		if (MYTHREAD == 1) {
			sleep(2);
			flag = 1;
		}
		while (!flag)
			;
	} else if (is(way, "one after the other")) {
		if (MYTHREAD)
			while (flags[MYTHREAD - 1] == 0) {
			}
		sleep(1);
		flags[MYTHREAD] = 1;
		if (!MYTHREAD)
			for (; flags[THREADS - 1] == 0;)
				continue;
	} else if (is(way, "gives up") && MYTHREAD == 0) {
		while (!flag && n++ < 2000)
			usleep(1000);
	} else if (is(way, "thread")) {
		pthread_t t;
		if (MYTHREAD == 1)
			pthread_create(&t, NULL, later, NULL);
		while (MYTHREAD == 0 && !flag)
			usleep(100);
	} else if (is(way, "signal")) {
		if (MYTHREAD == 1) {
			signal(SIGALRM, handler);
			alarm(2);
		}
		while (MYTHREAD == 0 && !flag)
			usleep(100);
	} else if (is(way, "at exit")) {
		if (MYTHREAD == 1)
			atexit(at_exit);
		while (MYTHREAD == 0 && !flag)
			usleep(100);
		return 0;
	} else if (is(way, "lock late")) {
		if (MYTHREAD == 0)
			upc_lock(one);
		upc_barrier;
		if (MYTHREAD == 0)
			sleep(2);
		else
			while (!upc_lock_attempt(one))
				;
		upc_unlock(one);
	} else if (is(way, "lock gives up")) {
		if (MYTHREAD == 0)
			upc_lock(one);
		upc_barrier;
		if (MYTHREAD == 1)
			while (!upc_lock_attempt(one) && n++ < 2000)
				usleep(1000);
		upc_barrier;
		if (MYTHREAD == 0)
			upc_unlock(one);
	}
	upc_barrier;
	return relaxed_flag;
}
`

// A loop that waits for what cannot come is an error, and the program is ended, if the loop does nothing else.
func TestEndlessLoops(t *testing.T) {
	lines := map[string][]int{}
	for i, line := range strings.Split(endless, "\n") {
		if _, mark, ok := strings.Cut(line, " /* "); ok {
			way := strings.TrimSuffix(mark, " */")
			lines[way] = append(lines[way], i+1)
		}
	}
	const reads, calls = "Livelock: thread %d is in a loop that reads `%s` (program.upc:%d) until the value changes, " +
		"and all other threads wait or have ended, so that none is left to write it.",
		"Livelock: thread %d calls upc_lock_attempt (program.upc:%d) until it succeeds, and the lock cannot become " +
			"free: thread "
	for i, c := range []struct{ way, says, row string }{
		{"flag", fmt.Sprintf(reads, 0, "!flag", lines["flag"][0]), "  1, 2     waiting   upc_barrier "},
		{"ended", fmt.Sprintf(reads, 1, "flag == 0", lines["ended"][0]), "  0, 2     ended     return from main "},
		{"ring", "a loop that reads `flags[(MYTHREAD + 1) % THREADS] == 0` (",
			"  0-2      spinning  a loop that reads "},
		{"lock", fmt.Sprintf(calls, 1, lines["lock"][0]), "  1        polling a lock  upc_lock_attempt(one) "},
		{"counted", fmt.Sprintf(calls, 1, lines["counted"][0]), "  1        polling a lock  upc_lock_attempt(one) "},
		{"locks", "until it succeeds, and the lock cannot become free: thread ",
			"  0, 1     polling a lock  upc_lock_attempt(wanted) "},
		{"both", "all other threads wait or have ended, so that none is left to ",
			"  0        spinning        a loop that reads `!flag` "},
	} {
		l := launch{mpi: mpis[i%2], threads: 3, node: i % 3, args: []string{c.way}}
		status, told := run(t, l, shared.link(t, l.mpi, true, nil, source{"program.upc", endless}))
		if status != 66 && !launcherBroke(status, told) || reports(told) != 1 ||
			!strings.Contains(told, "unknot: error: upc-livelock (manifest): ") ||
			!strings.Contains(told, c.says) || !strings.Contains(told, "\n"+c.row) {
			t.Errorf("%v: status %d, want %q and %q, told:\n%s", l, status, c.says, c.row, told)
		}
	}
}

// Nothing is reported of loops that end: because another thread ends them, because they give up, or by something that
// is no UPC thread.
func TestLoopsThatEnd(t *testing.T) {
	for i, way := range []string{"set late", "one after the other", "gives up", "thread", "signal", "at exit",
		"lock late", "lock gives up"} {
		l := launch{mpi: mpis[i%2], threads: 3, args: []string{way}, env: []string{"UPCCHECK_LIVELOCK_TIMEOUT=300"}}
		if i%3 == 0 {
			l.node = 2
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			if status, told := run(t, l, shared.link(t, l.mpi, true, nil, source{"program.upc", endless})); !isZero(
				status) || told != "" {
				t.Errorf("%v: status %d, told:\n%s", l, status, told)
			}
		})
	}
}
