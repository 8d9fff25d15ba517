/* The strictest MPI that the standard allows, made of the one at hand: preloaded into a program, it lets standard sends
 * wait for their receivers and rooted collectives for all members. A program that hangs under it relies on buffering. */
#include <mpi.h>

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return PMPI_Ssend(buf, count, type, dest, tag, comm);
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Issend(buf, count, type, dest, tag, comm, request);
}

int MPI_Send_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Ssend_init(buf, count, type, dest, tag, comm, request);
}

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int error = PMPI_Barrier(comm);
    return error != MPI_SUCCESS ? error : PMPI_Bcast(buf, count, type, root, comm);
}

int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    int error = PMPI_Barrier(comm);
    return error != MPI_SUCCESS ? error : PMPI_Reduce(in, out, count, type, op, root, comm);
}

int MPI_Neighbor_alltoall(const void *out, int sent, MPI_Datatype out_type, void *in, int received,
                          MPI_Datatype in_type, MPI_Comm comm)
{
    int error = PMPI_Barrier(comm);
    return error != MPI_SUCCESS ? error : PMPI_Neighbor_alltoall(out, sent, out_type, in, received, in_type, comm);
}
