//go:build !quick

package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"unknot/internal/observe/ring"
)

// Two threads that call MPI at the same time although only one may: their stamps differ all the same, except for the
// moment when the second one begins. Threads that only ask get no ring, and the end of one that has a ring is recorded.
func TestThreadsBelowSerializedHaveTheirOwnStamps(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 1, f.compile(t, `#include <mpi.h>
#include <pthread.h>
static void *run(void *p) {
    int size;
    for (int i = 0; i < 50000; i++) MPI_Comm_size(MPI_COMM_SELF, &size);
    return p;
}
static void *ask(void *p) {
    int x, y;
    char s[MPI_MAX_LIBRARY_VERSION_STRING];
    for (int i = 0; i < 100; i++) {
        MPI_Is_thread_main(&x);
        MPI_Query_thread(&x);
        MPI_Initialized(&x);
        MPI_Finalized(&x);
        MPI_Get_version(&x, &y);
        MPI_Get_library_version(s, &x);
    }
    return p;
}
int main(int argc, char **argv) {
    int level;
    pthread_t t[3];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    pthread_create(&t[0], 0, run, 0);
    for (int i = 1; i < 3; i++) pthread_create(&t[i], 0, ask, 0);
    run(0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    MPI_Finalize();
    return 0;
}`))
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		stamps, twice := map[uint32]bool{}, 0
		for _, x := range j.recs[j.first(t, 0).PID] {
			if stamps[x.Stamp] {
				twice++
			}
			stamps[x.Stamp] = true
		}
		if twice > 10 {
			t.Errorf("%d of %d stamps are drawn twice", twice, len(stamps))
		}
		if len(j.rings) != 2 {
			t.Errorf("%d rings, want 2", len(j.rings))
		}
		if n := len(j.data(t, 0, ring.DataThreadEnd)); n != 1 {
			t.Errorf("%d threads end, want 1", n)
		}
	})
}

// A thread may free what pthread_create stored its id in, and detach itself; and C's threads are threads.
func TestThreadIDsAreLeftToTheThread(t *testing.T) {
	byTurns(t, 0, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 1, f.compile(t, `#define _GNU_SOURCE
#include <mpi.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>
static int bad, done;
static void *own(void *p) {
    pthread_t *id = p;
    if (!pthread_equal(*id, pthread_self())) bad = 1;
    munmap(id, 4096); // whoever looks at it from now on crashes
    pthread_detach(pthread_self());
    __atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
    return 0;
}
static int plain(void *p) { return *(int *)p + 1; }
static void rounds(int from, int to) {
    for (int i = from; i < to; i++) {
        pthread_t *id = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pthread_create(id, 0, own, id) != 0) abort();
        while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) <= i)
            sched_yield();
    }
    usleep(200000);
}
int main(int argc, char **argv) {
    int level, x = 41, result;
    thrd_t c;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    rounds(0, 500);
    size_t used = mallinfo2().uordblks;
    rounds(500, 3000);
    if (mallinfo2().uordblks > used + 20000) bad = 2;
    if (thrd_create(&c, plain, &x) != thrd_success || thrd_join(c, &result) != thrd_success || result != 42) bad = 3;
    MPI_Finalize();
    return bad;
}`))
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		// The last thread is the one of thrd_create.
		var got string
		for _, id := range []ring.DataID{ring.DataThread, ring.DataJoin} {
			list := j.data(t, 0, id)
			got += fmt.Sprintf(" %d/%d", list[len(list)-1].Words[0], len(list))
		}
		if got != " 3001/3001 3001/1" {
			t.Errorf("threads started and joined:%s", got)
		}
	})
}

// A library that stands between the program and the C library may start another thread, and wait for it, whenever
// the program starts one.
func TestALibraryMayStartThreadsWhereTheProgramDoes(t *testing.T) {
	between := filepath.Join(t.TempDir(), "between.so")
	write(t, between+".c", `#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
typedef int create_type(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static __thread int inside;
static void *nothing(void *p) { return p; }
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    if (!inside) {
        pthread_t own[2];
        inside = 1;
        for (int i = 0; i < 2; i++)
            ((create_type *)dlsym(RTLD_DEFAULT, "pthread_create"))(&own[i], NULL, nothing, NULL);
        pthread_detach(own[0]);
        pthread_join(own[1], NULL);
        inside = 0;
    }
    return ((create_type *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attr, run, arg);
}
`)
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-pthread", "-o", between,
		between+".c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.compile(t, `#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
static void *run(void *p) {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return p;
}
int main(int argc, char **argv) {
    int level, size;
    pthread_t t;
    alarm(120);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Finalize();
    return 0;
}`)
		j := f.launch(t, 512, 1, "env", "LD_PRELOAD="+f.probe(t).Path+":"+between, program)
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		started, joined := j.data(t, 0, ring.DataThread), j.data(t, 0, ring.DataJoin)
		if len(started) != 1 || len(joined) != 1 || len(j.of(t, 0, ring.Enter, id("MPI_Comm_size"))) != 2 {
			t.Errorf("%d threads are started and %d joined, want one; calls: %v", len(started), len(joined),
				j.of(t, 0, ring.Enter, id("MPI_Comm_size")))
		}
	})
}

// Whether the order of a program's threads can be followed is judged by the functions that it calls. Those of MPI and
// locks are followed, and a clock orders nothing; a library that is not known may have a lock.
func TestTheOrderOfThreadsIsFollowedIfNothingElseOrdersThem(t *testing.T) {
	for _, c := range []struct {
		name, level, calls string
		followed           bool
	}{
		{"none", "MPI_THREAD_MULTIPLE", "struct timespec now; clock_gettime(CLOCK_REALTIME, &now); if (argc > 9) " +
			"MPI_Win_unlock(0, MPI_WIN_NULL);", true},
		{"a mutex", "MPI_THREAD_MULTIPLE",
			"static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; if (argc > 9) pthread_mutex_lock(&m);", true},
		{"a system call, which may be a lock", "MPI_THREAD_MULTIPLE", "if (argc > 9) syscall(0);", false},
		{"a lock that is got by its name", "MPI_THREAD_MULTIPLE", "if (argc > 9) dlopen(argv[9], 0);", false},
		{"a level that needs none", "MPI_THREAD_FUNNELED", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			byTurns(t, len(c.name), func(t *testing.T, f flavour) {
				j := f.launch(t, 512, 1, f.compile(t, `#define _GNU_SOURCE
#include <mpi.h>
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, `+c.level+`, &level);
    `+c.calls+`
    MPI_Finalize();
    return 0;
}`))
				if code := j.finish(t); code != 0 {
					t.Fatalf("exit status %d\n%s", code, j.out.String())
				}
				if n := len(j.data(t, 0, ring.DataOrder)); (n == 1) != c.followed || n > 1 {
					t.Errorf("%d records of it, want %v", n, c.followed)
				}
			})
		})
	}
}
