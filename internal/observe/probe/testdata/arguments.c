// Calls with arrays, strings and objects of all kinds, on three ranks; facts_test.go knows them.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

// What the standard does not let MPI read may be anything.
#define WILD(type) ((type)16)

static int rank, three[3] = {1, 2, 3}, displs[3] = {0, 4, 8}, bytes[3] = {0, 16, 32};
static int from[64], to[64];
static MPI_Datatype ints[3];

static void types(void)
{
    int lengths[] = {1, 2}, sizes[] = {4, 6}, sub[] = {2, 3}, starts[] = {1, 0}, n[3], distribs[] = {MPI_DISTRIBUTE_BLOCK},
        dargs[] = {MPI_DISTRIBUTE_DFLT_DARG}, psizes[] = {3}, gsizes[] = {12};
    MPI_Aint at[] = {0, 8}, addresses[2];
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE}, t, u, given[2];
    MPI_Type_create_struct(2, lengths, at, parts, &t);
    MPI_Type_commit(&t);
    MPI_Type_get_contents(t, 3, 2, 2, n, addresses, given);
    MPI_Type_create_resized(t, -8, 48, &u);
    MPI_Type_free(&u);
    MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_C, MPI_INT, &u);
    MPI_Type_free(&u);
    MPI_Type_create_darray(3, 1, 1, gsizes, distribs, dargs, psizes, MPI_ORDER_FORTRAN, MPI_INT, &u);
    MPI_Type_free(&u);
    MPI_Type_create_hvector(2, 3, -40, MPI_INT, &u);
    MPI_Type_free(&u);
    MPI_Type_free(&t);
}

static void collectives(void)
{
    MPI_Alltoallw(from, three, bytes, ints, to, three, bytes, ints, MPI_COMM_SELF);
    MPI_Allgatherv(from, 1, MPI_INT, to, (int[]){1, 1, 1}, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, WILD(int *), WILD(int *), MPI_DATATYPE_NULL, to, (int[]){1, 1, 1}, displs, MPI_INT, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Gatherv(from, 2, MPI_INT, to, (int[]){2, 2, 2}, displs, MPI_INT, 1, MPI_COMM_WORLD);
    else
        MPI_Gatherv(from, 2, MPI_INT, NULL, WILD(int *), WILD(int *), MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
    MPI_Reduce_scatter(from, to, three, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    // Rank 0 on one side, ranks 1 and 2 on the other.
    MPI_Comm side, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 9, &inter);
    if (rank == 0)
        MPI_Gatherv(NULL, 0, MPI_INT, to, (int[]){3, 3}, displs, MPI_INT, MPI_ROOT, inter);
    else
        MPI_Gatherv(from, 3, MPI_INT, NULL, WILD(int *), WILD(int *), MPI_INT, 0, inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
}

static void topologies(void)
{
    MPI_Comm cart, row, graph, dist;
    int dims[] = {3, 1}, periods[] = {1, 0}, r, coords[] = {2, 0}, remain[] = {0, 1}, index[] = {1, 2, 2}, edges[] = {1, 0}, left = (rank + 2) % 3, right = (rank + 1) % 3,
        weight = 7, zero[4] = {0}, one = 1;
    MPI_Aint zeroes[4] = {0};
    MPI_Datatype four[] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Dims_create(3, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
    MPI_Cart_rank(cart, coords, &r);
    MPI_Cart_sub(cart, remain, &row);
    MPI_Neighbor_alltoallw(from, zero, zeroes, four, to, zero, zeroes, four, cart);
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist);
    MPI_Comm_free(&dist);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &right, &weight, MPI_INFO_NULL, 0, &dist);
    MPI_Neighbor_allgatherv(from, 1, MPI_INT, to, (int[]){1}, (int[]){5}, MPI_INT, dist);
    MPI_Comm_free(&dist);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&row);
    MPI_Comm_free(&cart);
}

static void fold(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void objects(const char *name)
{
    int ranges[][3] = {{0, 2, 2}, {1, 1, 1}}, ranks[] = {2, 0}, answer[2], key, flag, size = 4;
    char value[16];
    MPI_Group world, some;
    MPI_Info info;
    MPI_Op op;
    MPI_Errhandler own, given;
    MPI_File file;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 2, ranges, &some);
    MPI_Group_free(&some);
    MPI_Group_incl(world, 2, ranks, &some);
    MPI_Group_translate_ranks(world, 2, ranks, some, answer);
    MPI_Group_free(&some);
    MPI_Group_free(&world);
    MPI_Info_create(&info);
    MPI_Info_set(info, "striping_factor", "16");
    MPI_Info_get(info, "striping_factor", 15, value, &flag);
    MPI_Op_create(fold, 1, &op);
    MPI_Op_free(&op);
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, own);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &given);
    MPI_Errhandler_free(&given);
    MPI_Errhandler_free(&own);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
    MPI_Pack(from, 1, MPI_INT, to, 64, &size, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_File_set_view(file, 12, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_seek(file, -3, MPI_SEEK_END);
    MPI_File_close(&file);
    MPI_Info_free(&info);
}

// MPICH follows this null pointer.
static void crash(void)
{
    MPI_Group world, some;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, NULL, &some);
}

// Negative lengths and null pointers, which both libraries answer with an error.
static void wrong(void)
{
    int n[] = {1, 2};
    MPI_Aint at[] = {0, 8};
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE}, t;
    MPI_Group world, some;
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Type_create_struct(-1, n, at, parts, &t);
    MPI_Group_incl(world, -2, n, &some);
    MPI_Send(from, -1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Comm_size(MPI_COMM_WORLD, NULL);
    MPI_Isend(from, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, NULL);
    MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Type_contiguous(1, MPI_INT, NULL);
    MPI_Group_free(&world);
}

static void statuses(void)
{
    MPI_Request r[2];
    MPI_Status s[2];
    for (int i = 0; i < 4; i++) {
        MPI_Isend(from, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &r[0]);
        if (i == 0)
            MPI_Recv(to, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_SELF, &s[0]);
        else if (i == 1)
            MPI_Recv(to, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        else {
            MPI_Irecv(to, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_SELF, &r[1]);
            MPI_Waitall(2, r, i == 2 ? s : MPI_STATUSES_IGNORE);
            continue;
        }
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        ints[i] = MPI_INT;
    if (strcmp(argv[1], "right") == 0) {
        types();
        collectives();
        topologies();
        if (rank == 0)
            objects(argv[2]);
        statuses();
    } else if (strcmp(argv[1], "wrong") == 0) {
        wrong();
    } else if (strcmp(argv[1], "crash") == 0) {
        crash();
    }
    MPI_Finalize();
    return 0;
}
