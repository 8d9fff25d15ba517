// Makes, uses and frees datatypes and operators in random ways that repeat themselves, and prints each call that it makes: the function, the
// numbers and handles that it is given, in the order of its Enter record, "-" for a buffer; then ">" and what it made.
#include <inttypes.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define H(handle) (sizeof(handle) == sizeof(int) ? (uint64_t)(unsigned)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle))
#define N(number) ((uint64_t)(number))
enum { BUFFER = 77777 };

static uint64_t state;
static int any(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static void call(const char *name, int n, ...)
{
    va_list all;
    va_start(all, n);
    printf("%s", name);
    for (int i = 0; i < n; i++) {
        uint64_t word = va_arg(all, uint64_t);
        if (word == BUFFER)
            printf(" -");
        else
            printf(" %" PRIu64, word);
    }
    va_end(all);
    printf("\n");
}

static void made(uint64_t handle) { printf("> %" PRIu64 "\n", handle); }

static int buffer[4096], result[4096];

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void take(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] = ((int *)in)[i];
}

static MPI_Datatype make(int way, MPI_Datatype of)
{
    MPI_Datatype t;
    switch (way % 4) {
    case 0:
        call("MPI_Type_contiguous", 2, N(1 + way / 4 % 3), H(of));
        MPI_Type_contiguous(1 + way / 4 % 3, of, &t);
        break;
    case 1:
        call("MPI_Type_vector", 4, N(2), N(1), N(2 + way / 4 % 3), H(of));
        MPI_Type_vector(2, 1, 2 + way / 4 % 3, of, &t);
        break;
    case 2: // from another place
        call("MPI_Type_vector", 4, N(2), N(1), N(2 + way / 4 % 2), H(of));
        MPI_Type_vector(2, 1, 2 + way / 4 % 2, of, &t);
        break;
    default:
        call("MPI_Type_create_resized", 3, H(of), N(0), N(32 + way / 4 % 2));
        MPI_Type_create_resized(of, 0, 32 + way / 4 % 2, &t);
    }
    made(H(t));
    return t;
}

static void commit(MPI_Datatype *t)
{
    call("MPI_Type_commit", 1, H(*t));
    MPI_Type_commit(t);
}

static void use(MPI_Datatype t)
{
    call("MPI_Bcast", 5, N(BUFFER), N(1), H(t), N(0), H(MPI_COMM_WORLD));
    MPI_Bcast(buffer, 1, t, 0, MPI_COMM_WORLD);
}

static void release(MPI_Datatype *t)
{
    call("MPI_Type_free", 1, H(*t));
    MPI_Type_free(t);
}

static MPI_Op operator(int way)
{
    MPI_Op op;
    call("MPI_Op_create", 1, N(way % 2));
    MPI_Op_create(way < 2 ? add : take, way % 2, &op);
    made(H(op));
    return op;
}

static void reduce(MPI_Op op)
{
    call("MPI_Allreduce", 6, N(BUFFER), N(BUFFER), N(2), H(MPI_INT), H(op), H(MPI_COMM_WORLD));
    MPI_Allreduce(buffer, result, 2, MPI_INT, op, MPI_COMM_WORLD);
}

static void drop(MPI_Op *op)
{
    call("MPI_Op_free", 1, H(*op));
    MPI_Op_free(op);
}

static void ask(MPI_Datatype t, MPI_Comm comm)
{
    int size;
    call("MPI_Type_size", 1, H(t));
    MPI_Type_size(t, &size);
    call("MPI_Comm_rank", 1, H(comm));
    MPI_Comm_rank(comm, &size);
}

static void once(int way, int variant)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    MPI_Op op;
    MPI_Comm comm;
    switch (way) {
    default:
        t = make(variant, MPI_INT);
        commit(&t);
        use(t);
        break;
    case 3: // never committed
        t = make(variant, MPI_INT);
        ask(t, MPI_COMM_WORLD);
        break;
    case 4: // two at a time, committed in the other order
        t = make(variant, MPI_INT);
        u = make(variant + 1, MPI_DOUBLE);
        commit(&u);
        commit(&t);
        use(u);
        break;
    case 5: // something in between
        t = make(variant, MPI_INT);
        ask(MPI_INT, MPI_COMM_WORLD);
        commit(&t);
        ask(t, MPI_COMM_SELF);
        use(t);
        commit(&t);
        break;
    case 6: // one of another
        u = make(variant, MPI_INT);
        commit(&u);
        t = make(variant, u);
        commit(&t);
        release(&u);
        use(t);
        break;
    case 7: // a copy, which may get the handle of the one before
        call("MPI_Type_dup", 1, H(MPI_INT));
        MPI_Type_dup(MPI_INT, &t);
        made(H(t));
        use(t);
        break;
    case 8:
        op = operator(variant % 4);
        reduce(op);
        drop(&op);
        reduce(MPI_SUM);
        return;
    case 9: // a communicator, whose handle may be that of the one before
        call("MPI_Comm_dup", 1, H(MPI_COMM_SELF));
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        made(H(comm));
        ask(MPI_DOUBLE, comm);
        call("MPI_Comm_free", 1, H(comm));
        MPI_Comm_free(&comm);
        return;
    case 10: // all of it together
        op = operator(variant % 4);
        t = make(variant, MPI_DOUBLE);
        commit(&t);
        u = make(variant, MPI_DOUBLE);
        commit(&u);
        use(t);
        reduce(op);
        drop(&op);
        break;
    }
    ask(t, MPI_COMM_WORLD);
    release(&t);
    if (u != MPI_DATATYPE_NULL)
        release(&u);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    state = strtoull(argv[1], NULL, 10);
    for (int rounds = 0; rounds < 60; rounds++) {
        int way = any(11), variants = 1 + any(3), times = 1 + any(12), other = any(11);
        for (int i = 0; i < times; i++) {
            once(way, any(variants) * 5 + way);
            if (any(3) == 0)
                once(other, any(variants));
        }
    }
    call("MPI_Finalize", 0);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
