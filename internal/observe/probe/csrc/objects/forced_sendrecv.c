// MPI_Sendrecv and MPI_Sendrecv_replace with a synchronous or buffered send, for which MPI has no function: the receive
// is started, then the send, then both are waited for, as MPI libraries do it themselves. Results and errors are those
// of the receive, unless only the send fails.
//
// Runs: in recorded calls of these functions, under a plan, in the place of the real one.
//
// Never: locks, as it waits for as long as the program's call would. Without memory, the exchange is made as the
// program makes it.
#include "objects/forced.h"
#include <stdlib.h>

typedef int receive_type(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int receive_large(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int send_type(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int send_large(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int wait_type(MPI_Request *, MPI_Status *);
typedef int cancel_type(MPI_Request *);

static int receive(void *buf, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm, bool large,
                   MPI_Request *r)
{
    if (large)
        return ((receive_large *)uk_sym("PMPI_Irecv_c"))(buf, count, type, source, tag, comm, r);
    return ((receive_type *)uk_sym("PMPI_Irecv"))(buf, (int)count, type, source, tag, comm, r);
}

static int send(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, bool large,
                MPI_Request *r)
{
    if (large)
        return ((send_large *)uk_sym("PMPI_Issend_c"))(buf, count, type, dest, tag, comm, r);
    return ((send_type *)uk_sym("PMPI_Issend"))(buf, (int)count, type, dest, tag, comm, r);
}

static int wait(MPI_Request *r, MPI_Status *status)
{
    return ((wait_type *)uk_sym("PMPI_Wait"))(r, status);
}

void *uk_forced_pack(const void *buf, MPI_Count count, MPI_Datatype type, MPI_Comm comm, bool large, MPI_Count *size,
                     int *rc)
{
    typedef int size_type(int, MPI_Datatype, MPI_Comm, int *);
    typedef int size_large(MPI_Count, MPI_Datatype, MPI_Comm, MPI_Count *);
    typedef int pack_type(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
    typedef int pack_large(const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Count *, MPI_Comm);
    int small = 0, at = 0;
    MPI_Count room = 0;
    *size = 0;
    if (large) {
        *rc = ((size_large *)uk_sym("PMPI_Pack_size_c"))(count, type, comm, &room);
    } else {
        *rc = ((size_type *)uk_sym("PMPI_Pack_size"))((int)count, type, comm, &small);
        room = small;
    }
    if (*rc != MPI_SUCCESS)
        return NULL;
    void *copy = malloc(room > 0 ? (size_t)room : 1);
    if (!copy) {
        uk_give_up(&uk_self);
        *rc = UK_NO_MEMORY;
        return NULL;
    }
    if (large) {
        *rc = ((pack_large *)uk_sym("PMPI_Pack_c"))(buf, count, type, copy, room, size, comm);
    } else {
        *rc = ((pack_type *)uk_sym("PMPI_Pack"))(buf, (int)count, type, copy, small, &at, comm);
        *size = at;
    }
    if (*rc == MPI_SUCCESS)
        return copy;
    free(copy);
    return NULL;
}

// The receive is posted first: if MPI refuses its arguments, nothing has been sent.
int uk_forced_sendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                       void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
                       MPI_Comm comm, MPI_Status *status, bool large, enum uk_send mode)
{
    MPI_Request in, out = MPI_REQUEST_NULL;
    int rc = receive(recvbuf, recvcount, recvtype, source, recvtag, comm, large, &in);
    if (rc != MPI_SUCCESS)
        return rc;
    if (mode == UK_BUFFERED)
        rc = uk_forced_copy(sendbuf, sendcount, sendtype, dest, sendtag, comm, large);
    else
        rc = send(sendbuf, sendcount, sendtype, dest, sendtag, comm, large, &out);
    if (rc != MPI_SUCCESS) {
        ((cancel_type *)uk_sym("PMPI_Cancel"))(&in);
        wait(&in, status);
        return rc;
    }
    rc = wait(&in, status);
    MPI_Status unused;
    int sent = wait(&out, &unused);
    return rc != MPI_SUCCESS ? rc : sent;
}

int uk_forced_replace(void *buf, MPI_Count count, MPI_Datatype type, int dest, int sendtag, int source, int recvtag,
                      MPI_Comm comm, MPI_Status *status, bool large, enum uk_send mode)
{
    typedef int exchange(void *, int, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status *);
    typedef int exchange_large(void *, MPI_Count, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status *);
    MPI_Count size;
    int rc;
    void *copy = uk_forced_pack(buf, count, type, comm, large, &size, &rc);
    if (!copy && rc != UK_NO_MEMORY)
        return rc;
    if (!copy && large)
        return ((exchange_large *)uk_sym("PMPI_Sendrecv_replace_c"))(buf, count, type, dest, sendtag, source, recvtag,
                                                                     comm, status);
    if (!copy)
        return ((exchange *)uk_sym("PMPI_Sendrecv_replace"))(buf, (int)count, type, dest, sendtag, source, recvtag,
                                                             comm, status);
    // Packed data may be received with any type (MPI-4.0, 5.2).
    rc = uk_forced_sendrecv(copy, size, MPI_PACKED, dest, sendtag, buf, count, type, source, recvtag, comm, status,
                            large, mode);
    free(copy);
    return rc;
}
