package ordered

import (
	"fmt"
	"strings"
)

// Source is a C program that runs the one of some programs whose number is its first argument. Its second one says how
// the threads are delayed. lines gives the place of each step.
func Source(programs []*Program) (text string, lines map[int]Site) {
	var b strings.Builder
	b.WriteString(head)
	lines = make(map[int]Site)
	for n, p := range programs {
		for t, steps := range p.Threads {
			fmt.Fprintf(&b, "static void *p%d_%d(void *delays)\n{\n    int mine[N] = {0};\n    unsigned seed = "+
				"*(unsigned *)delays + %d;\n", n, t, t)
			for i, s := range steps {
				fmt.Fprintf(&b, "    delay(&seed); %s\n", s.text(t))
				lines[strings.Count(b.String(), "\n")] = Site{n, Place{t, i}}
			}
			b.WriteString("    sum += mine[0] > 0;\n    return NULL;\n}\n")
		}
	}
	b.WriteString("\nstatic void *(*const programs[][3])(void *) = {\n")
	for n, p := range programs {
		b.WriteString("    {")
		for t := range p.Threads {
			fmt.Fprintf(&b, "p%d_%d, ", n, t)
		}
		b.WriteString("},\n")
	}
	b.WriteString(tail)
	return b.String(), lines
}

// Site is a step of a program, by its number.
type Site struct {
	Program int
	Place
}

func (s Step) text(thread int) string {
	calls := map[Act]string{Lock: "pthread_mutex_lock(&mutex[%d]);", Unlock: "pthread_mutex_unlock(&mutex[%d]);",
		ReadLock: "pthread_rwlock_rdlock(&rwlock[%d]);", WriteLock: "pthread_rwlock_wrlock(&rwlock[%d]);",
		ReadUnlock: "pthread_rwlock_unlock(&rwlock[%d]);", WriteUnlock: "pthread_rwlock_unlock(&rwlock[%d]);",
		Post: "sem_post(&semaphore[%d]);", Wait: "sem_wait(&semaphore[%d]);", Set: "set(%d);", Await: "await(%d);",
		Load: "mine[0] += shared[%d][1];", Store: "shared[%d][1] = mine[0];"}
	switch s.Act {
	case Barrier:
		return "pthread_barrier_wait(&all);"
	case Receive:
		return fmt.Sprintf("MPI_Sendrecv(mine, N, MPI_INT, 0, 0, shared[%d], N, MPI_INT, 0, 0, own[%d], "+
			"MPI_STATUS_IGNORE);", s.On, thread)
	case Send:
		return fmt.Sprintf("MPI_Sendrecv(shared[%d], N, MPI_INT, 0, 0, mine, N, MPI_INT, 0, 0, own[%d], "+
			"MPI_STATUS_IGNORE);", s.On, thread)
	}
	return fmt.Sprintf(calls[s.Act], s.On)
}

const head = `#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 4, LATEST = 300 };

static pthread_mutex_t mutex[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t events = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t happens = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock[] = {PTHREAD_RWLOCK_INITIALIZER};
static pthread_barrier_t all;
static sem_t semaphore[2];
static MPI_Comm own[3];
static int happened[2], fixed[2][N], *shared[2]; /* variables, or blocks of the heap */
static _Thread_local int sum;

static void delay(unsigned *seed)
{
    if (rand_r(seed) % 3 == 0)
        usleep(rand_r(seed) % LATEST);
}

static void set(int event)
{
    pthread_mutex_lock(&events);
    happened[event] = 1;
    pthread_cond_broadcast(&happens);
    pthread_mutex_unlock(&events);
}

static void await(int event)
{
    pthread_mutex_lock(&events);
    while (!happened[event])
        pthread_cond_wait(&happens, &events);
    pthread_mutex_unlock(&events);
}

`

const tail = `};

int main(int argc, char **argv)
{
    void *(*const *run)(void *);
    unsigned delays;
    int provided, threads = 0;
    pthread_t thread[3];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    run = programs[atoi(argv[1])];
    delays = (unsigned)atoi(argv[2]);
    while (threads < 3 && run[threads])
        threads++;
    pthread_barrier_init(&all, NULL, (unsigned)threads);
    for (int i = 0; i < 2; i++)
        shared[i] = delays % 2 ? fixed[i] : calloc(N, sizeof *shared[i]);
    sem_init(&semaphore[0], 0, 0);
    sem_init(&semaphore[1], 0, 0);
    for (int i = 0; i < threads; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &own[i]);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, run[i], &delays);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < threads; i++)
        MPI_Comm_free(&own[i]);
    MPI_Finalize();
    return 0;
}
`
