// Sends that are over before anybody receives them: the message is copied, as with MPI_Bsend (MPI-4.0, 3.6), but not
// into the program's buffer, which may be too small or is used for its own buffered sends.
//
// Runs: in recorded calls whose send a plan makes buffered, and uk_forced_copies_end at MPI_Finalize.
//
// Never: lets go of a message before it is sent. The lock is held while MPI sends and tests, which is sound: these are
// requests that the program does not know, and what MPI calls of the program's meanwhile passes unrecorded, so it does
// not come here. It is held while MPI_Finalize waits for them, when no other thread may be in MPI. Without memory, the
// message is sent as the program does.
#include "objects/forced.h"
#include "writer/lock.h"
#include <stdlib.h>

typedef int send_type(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int send_large(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int isend_type(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int isend_large(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int test_type(MPI_Request *, int *, MPI_Status *);
typedef int wait_type(MPI_Request *, MPI_Status *);

// A message on its way.
struct copy {
    struct copy *next;
    void *data;
    MPI_Request request;
};

static struct copy *copies;
static uk_lock_t lock;

// Lets go of those that have been sent.
static void reap(void)
{
    for (struct copy **p = &copies; *p;) {
        struct copy *c = *p;
        int done = 0;
        MPI_Status status;
        if (ASK(MPI_Test, test_type, &c->request, &done, &status) == MPI_SUCCESS && !done) {
            p = &c->next;
            continue;
        }
        *p = c->next;
        free(c->data);
        free(c);
    }
}

// Packed data may be received with any type (MPI-4.0, 5.2).
static int start(struct copy *c, MPI_Count size, int dest, int tag, MPI_Comm comm, bool large)
{
    if (large)
        return ASK(MPI_Isend_c, isend_large, c->data, size, MPI_PACKED, dest, tag, comm, &c->request);
    return ASK(MPI_Isend, isend_type, c->data, (int)size, MPI_PACKED, dest, tag, comm, &c->request);
}

int uk_forced_try_copy(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                       bool large)
{
    MPI_Count size;
    int rc;
    struct copy *c = malloc(sizeof *c);
    if (!c) {
        uk_give_up(&uk_self);
        return UK_NO_MEMORY;
    }
    c->data = uk_forced_pack(buf, count, type, comm, large, &size, &rc);
    if (!c->data) {
        free(c);
        return rc;
    }
    uk_lock(&lock);
    reap();
    rc = start(c, size, dest, tag, comm, large);
    if (rc == MPI_SUCCESS) {
        c->next = copies;
        copies = c;
    } else {
        free(c->data);
        free(c);
    }
    uk_unlock(&lock);
    return rc;
}

int uk_forced_copy(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, bool large)
{
    int rc = uk_forced_try_copy(buf, count, type, dest, tag, comm, large);
    if (rc != UK_NO_MEMORY)
        return rc;
    if (large)
        return ASK(MPI_Send_c, send_large, buf, count, type, dest, tag, comm);
    return ASK(MPI_Send, send_type, buf, (int)count, type, dest, tag, comm);
}

static int query(void *state, MPI_Status *status)
{
    typedef int set_cancelled(MPI_Status *, int);
    typedef int set_elements(MPI_Status *, MPI_Datatype, int);
    (void)state;
    status->MPI_SOURCE = MPI_UNDEFINED; // of a send nothing but whether it was cancelled is defined (MPI-4.0, 3.7.3)
    status->MPI_TAG = MPI_UNDEFINED;
    ASK(MPI_Status_set_cancelled, set_cancelled, status, 0);
    return ASK(MPI_Status_set_elements, set_elements, status, MPI_BYTE, 0);
}

static int freed(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete; // it is: the message cannot be cancelled any more
    return MPI_SUCCESS;
}

int uk_forced_icopy(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, bool large,
                    MPI_Request *request)
{
    typedef int start_type(int (*)(void *, MPI_Status *), int (*)(void *), int (*)(void *, int), void *, MPI_Request *);
    typedef int complete_type(MPI_Request);
    int rc = uk_forced_try_copy(buf, count, type, dest, tag, comm, large);
    if (rc == UK_NO_MEMORY && large)
        return ASK(MPI_Isend_c, isend_large, buf, count, type, dest, tag, comm, request);
    if (rc == UK_NO_MEMORY)
        return ASK(MPI_Isend, isend_type, buf, (int)count, type, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        rc = ASK(MPI_Grequest_start, start_type, query, freed, cancel, NULL, request);
    return rc == MPI_SUCCESS ? ASK(MPI_Grequest_complete, complete_type, *request) : rc;
}

void uk_forced_copies_end(void)
{
    uk_lock(&lock);
    while (copies) {
        struct copy *c = copies;
        MPI_Status status;
        copies = c->next;
        ASK(MPI_Wait, wait_type, &c->request, &status);
        free(c->data);
        free(c);
    }
    uk_unlock(&lock);
}
