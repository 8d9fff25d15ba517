// Calls of which MPI may choose what they report, with a report that a plan has chosen. One that shall report something
// waits for just that, with the function that waits for the same; one that shall report nothing asks MPI nothing.
//
// Runs: in recorded calls on which a plan forces an outcome, in the place of the real function.
//
// Never: locks or allocates, as it waits for as long as the program's call would; completes a request that the plan
// does not name, unless none of those that it names can be waited for.
#include "objects/forced.h"

typedef int wait_type(MPI_Request *, MPI_Status *);
typedef int waitall_type(int, MPI_Request *, MPI_Status *);
typedef int waitany_type(int, MPI_Request *, int *, MPI_Status *);
typedef int testany_type(int, MPI_Request *, int *, int *, MPI_Status *);
typedef int some_type(int, MPI_Request *, int *, int *, MPI_Status *);
typedef int iprobe_type(int, int, MPI_Comm, int *, MPI_Status *);
typedef int probe_type(int, int, MPI_Comm, MPI_Status *);
typedef int mprobe_type(int, int, MPI_Comm, MPI_Message *, MPI_Status *);

static void say(int *to, int value)
{
    if (to)
        *to = value;
}

// Reports nothing. A program that polls may rely on its polls to let MPI get on with what it has in hand (MPI-4.0,
// 3.7.4), so MPI is called, but with a question that completes nothing.
static int nothing(const struct uk_choice *c)
{
    int flag = 0;
    MPI_Status status;
    MPI_Comm comm;
    if (uk_comm_at_hand(&comm))
        ASK(MPI_Iprobe, iprobe_type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
    say(c->flag, 0);
    say(c->outcount, 0);
    say(c->index, MPI_UNDEFINED);
    return MPI_SUCCESS;
}

// Waits for the request at a position. MPI_Waitany tells one that is inactive, for which nobody can wait.
static int wait_at(const struct uk_choice *c, int at, MPI_Status *status, bool *inactive)
{
    int index = MPI_UNDEFINED;
    int rc = ASK(MPI_Waitany, waitany_type, 1, c->requests + at, &index, status);
    *inactive = rc == MPI_SUCCESS && index == MPI_UNDEFINED;
    return rc;
}

static int any(const struct uk_choice *c, const struct uk_chosen *chosen)
{
    int index = MPI_UNDEFINED, flag = 1, rc = MPI_SUCCESS;
    bool inactive = chosen->n == 0;
    if (!inactive) {
        index = chosen->done[0];
        rc = wait_at(c, index, c->status, &inactive);
        if (inactive)
            uk_forced_unmet();
    }
    if (inactive && c->kind == UK_TESTANY && chosen->n > 0)
        rc = ASK(MPI_Testany, testany_type, c->n, c->requests, &index, &flag, c->status);
    else if (inactive)
        rc = ASK(MPI_Waitany, waitany_type, c->n, c->requests, &index, c->status);
    say(c->index, index);
    say(c->flag, flag);
    return rc;
}

static int some_as_called(const struct uk_choice *c)
{
    if (c->kind == UK_TESTSOME)
        return ASK(MPI_Testsome, some_type, c->n, c->requests, c->outcount, c->indices, c->status);
    return ASK(MPI_Waitsome, some_type, c->n, c->requests, c->outcount, c->indices, c->status);
}

// Reports all that are to be, in the order of the plan.
static int some(const struct uk_choice *c, const struct uk_chosen *chosen)
{
    int n = chosen->n > 0 ? (int)chosen->n : c->n, out = 0, failed = 0;
    bool unmet = false;
    for (int k = 0; k < n; k++) {
        bool inactive;
        int at = chosen->n > 0 ? chosen->done[k] : k;
        int rc = wait_at(c, at, &c->status[out], &inactive);
        if (inactive) {
            unmet = unmet || chosen->n > 0;
            continue;
        }
        // The status of each says how it ended if one of them failed (MPI-4.0, 3.7.5).
        if (rc != MPI_SUCCESS && !failed++)
            for (int i = 0; i < out; i++)
                c->status[i].MPI_ERROR = MPI_SUCCESS;
        if (failed)
            c->status[out].MPI_ERROR = rc;
        if (c->indices)
            c->indices[out] = at;
        out++;
    }
    if (unmet)
        uk_forced_unmet();
    if (out == 0)
        return some_as_called(c);
    say(c->outcount, out);
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int uk_forced_choose(const struct uk_choice *c, const struct uk_chosen *chosen)
{
    int rc;
    if (chosen->nothing)
        return nothing(c);
    // No memory for them, see uk_scratch.
    if ((c->kind == UK_WAITSOME || c->kind == UK_TESTSOME) && !UK_THERE(c->status)) {
        uk_forced_unmet();
        return some_as_called(c);
    }
    switch (c->kind) {
    case UK_WAITANY:
    case UK_TESTANY:
        return any(c, chosen);
    case UK_WAITSOME:
    case UK_TESTSOME:
        return some(c, chosen);
    case UK_TEST:
        rc = ASK(MPI_Wait, wait_type, c->requests, c->status);
        break;
    case UK_TESTALL:
        rc = ASK(MPI_Waitall, waitall_type, c->n, c->requests, c->status);
        break;
    case UK_IPROBE:
        rc = ASK(MPI_Probe, probe_type, c->source, c->tag, c->comm, c->status);
        break;
    default:
        rc = ASK(MPI_Mprobe, mprobe_type, c->source, c->tag, c->comm, c->message, c->status);
    }
    say(c->flag, rc == MPI_SUCCESS);
    return rc;
}
