// The nodes of an unbalanced tree are counted. Rank 0 holds the open nodes; thieves take one, visit it and come back with its
// children. Which thief visits what, and how many each does, depends on who comes first.
#include "program.h"

enum { TAKE, NODE, STOP, DEPTH = 3, MOST = 64 };

typedef struct {
    unsigned id, depth;
} node_t;

static unsigned mix(unsigned x)
{
    x ^= x >> 16, x *= 0x7feb352dU, x ^= x >> 15, x *= 0x846ca68bU;
    return x ^ x >> 16;
}

static unsigned children(node_t n) { return n.depth == 0 ? 3 : n.depth < DEPTH ? mix(n.id) % 3 : 0; }

static node_t child(node_t n, unsigned i) { return (node_t){mix(n.id) + i + 1, n.depth + 1}; }

static long count(node_t n)
{
    long all = 1;
    for (unsigned i = 0; i < children(n); i++)
        all += count(child(n, i));
    return all;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    node_t brought[MOST], open[MOST] = {{7, 0}};
    int n = 0, left = 1, out = 0, idle[MOST], nidle = 0;
    long visited = 0;
    if (rank != 0) {
        for (;;) {
            MPI_Status st;
            node_t node;
            MPI_Send(brought, 2 * n, MPI_UNSIGNED, 0, TAKE, MPI_COMM_WORLD);
            MPI_Recv(&node, 2, MPI_UNSIGNED, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
            if (st.MPI_TAG == STOP)
                return end(1);
            n = (int)children(node);
            for (int i = 0; i < n; i++)
                brought[i] = child(node, (unsigned)i);
        }
    }
    int *busy = calloc((size_t)size, sizeof(int)), stopped = 0;
    while (stopped < size - 1) {
        MPI_Status st;
        MPI_Recv(brought, 2 * MOST, MPI_UNSIGNED, MPI_ANY_SOURCE, TAKE, MPI_COMM_WORLD, &st);
        MPI_Get_count(&st, MPI_UNSIGNED, &n);
        memcpy(open + left, brought, (size_t)n * sizeof(unsigned));
        left += n / 2;
        visited += busy[st.MPI_SOURCE];
        out -= busy[st.MPI_SOURCE];
        busy[st.MPI_SOURCE] = 0;
        idle[nidle++] = st.MPI_SOURCE;
        while (nidle > 0 && left > 0) { // those who have waited longest are served last
            int thief = idle[--nidle];
            busy[thief] = 1, out++;
            MPI_Send(&open[--left], 2, MPI_UNSIGNED, thief, NODE, MPI_COMM_WORLD);
        }
        for (; out == 0 && nidle > 0; stopped++)
            MPI_Send(NULL, 0, MPI_UNSIGNED, idle[--nidle], STOP, MPI_COMM_WORLD);
        if (out == 0 && stopped > 0)
            for (; stopped < size - 1; stopped++) { // thieves who have not come yet
                MPI_Recv(brought, 2 * MOST, MPI_UNSIGNED, MPI_ANY_SOURCE, TAKE, MPI_COMM_WORLD, &st);
                MPI_Send(NULL, 0, MPI_UNSIGNED, st.MPI_SOURCE, STOP, MPI_COMM_WORLD);
            }
    }
    free(busy);
    return end(visited == count((node_t){7, 0}));
}
