/* Each way to make a datatype, of elements that are narrower than what is in them. */
#include <mpi.h>

static double m[64];

static void receive(MPI_Datatype t)
{
    MPI_Type_commit(&t);
    MPI_Sendrecv(m, 0, MPI_INT, 0, 0, m, 1, t, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* want: with recvtype (`t`) a derived type whose elements overlap */
    MPI_Type_free(&t);                                                                  /* note: it was created by MPI_Type_contiguous at main */
}

#define RECEIVE(t) (MPI_Type_commit(&t), MPI_Sendrecv(m, 0, MPI_INT, 0, 0, m, 1, t, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE), MPI_Type_free(&t))

int main(int argc, char **argv)
{
    int ones[] = {2, 1}, at[] = {0, 1}, two[] = {4, 4}, sub[] = {2, 2}, start[] = {1, 1}, process[] = {1, 1};
    int cyclic[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, dargs[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Aint bytes[] = {0, 4};
    MPI_Datatype narrow, t, u, types[] = {MPI_DOUBLE, MPI_INT};

    MPI_Init(&argc, &argv); /* run: -n 1 */
    MPI_Type_create_resized(MPI_DOUBLE, 0, 4, &narrow);
    MPI_Type_contiguous(3, narrow, &t);
    receive(t);
    MPI_Type_vector(3, 2, 1, MPI_DOUBLE, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_hvector(3, 1, 4, MPI_DOUBLE, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_indexed(2, ones, at, MPI_DOUBLE, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_hindexed(2, ones, bytes, MPI_DOUBLE, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_indexed_block(2, 2, at, MPI_DOUBLE, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_hindexed_block(2, 1, bytes, MPI_DOUBLE, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_struct(2, ones, bytes, types, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_subarray(2, two, sub, start, MPI_ORDER_FORTRAN, narrow, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_darray(1, 0, 2, two, cyclic, dargs, process, MPI_ORDER_C, narrow, &t);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_create_f90_real(12, 100, &t);
    MPI_Type_create_hvector(2, 1, 4, t, &u);
    MPI_Type_dup(u, &t);
    MPI_Type_free(&u);
    RECEIVE(t); /* want: elements overlap */
    MPI_Type_free(&narrow);
    MPI_Finalize();
    return 0;
}
