// Drives the plan's part of the probe without the rest of it, for the sanitizers: as a program of one rank.
//
//     forced files FILE…     what each file makes of twenty receives and sends of two threads
//     forced exchange        MPI_Sendrecv with a synchronous send beside MPI's own, with good and bad arguments
//     forced choices FILE    calls of which MPI may choose what they report, with the outcomes of a plan
//     forced requests FILE   persistent requests, made anew by a plan
#define _GNU_SOURCE
#include "objects/forced.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *uk_sym(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

bool uk_comm_at_hand(MPI_Comm *comm)
{
    *comm = MPI_COMM_SELF;
    return true;
}

static void open_plan(const char *path, unsigned thread)
{
    setenv(UK_ENV_PLAN, path, 1);
    uk_self.index = thread;
    uk_forced_init(&uk_self, 0, 1);
}

static void files(int n, char **names)
{
    for (int i = 0; i < n; i++) {
        int forced = 0, synchronous = 0, outcomes = 0;
        MPI_Request null[3];
        memset(null, 1, sizeof null); // none of them is MPI_REQUEST_NULL
        for (unsigned thread = 0; thread < 2; thread++) {
            open_plan(names[i], thread);
            for (int k = 0; uk_self.forced && k < 20; k++) {
                int source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;
                forced += uk_forced_poll(MPI_COMM_WORLD, &source, &tag);
                uk_forced_found(MPI_COMM_WORLD);
                synchronous += uk_forced_send() == UK_SYNCHRONOUS;
            }
            struct uk_chosen chosen;
            for (int k = 0; uk_self.forced && k < 20; k++) {
                chosen = (struct uk_chosen){0};
                uk_forced_choice(&uk_self, UK_TESTSOME, 3, null, &chosen);
                for (uint32_t i = 0; i < chosen.n; i++)
                    outcomes += chosen.done[i] < 3;
                if (chosen.forced && !chosen.nothing)
                    uk_forced_tell_choice(&uk_self, &chosen);
                outcomes += chosen.forced;
            }
            uk_forced_end(&uk_self);
        }
        printf("%d receives, %d sends, %d of outcomes\n", forced, synchronous, outcomes);
    }
}

static int class_of(int rc)
{
    int class;
    MPI_Error_class(rc, &class);
    return class;
}

// One exchange with itself, by MPI or as the plan has it. Prints the error's class, the status and what came.
static void exchange(bool forced, bool replace, int dest, int tag, int room)
{
    int out[4] = {11, 12, 13, 14}, in[4] = {0, 0, 0, 0}, rc, n = -1;
    int *result = replace ? out : in;
    MPI_Status s = {.MPI_SOURCE = -77, .MPI_TAG = -77};
    if (replace)
        rc = forced ? uk_forced_replace(out, room, MPI_INT, dest, tag, dest, tag, MPI_COMM_WORLD, &s, false, UK_SYNCHRONOUS)
                    : PMPI_Sendrecv_replace(out, room, MPI_INT, dest, tag, dest, tag, MPI_COMM_WORLD, &s);
    else
        rc = forced ? uk_forced_sendrecv(out, 3, MPI_INT, dest, tag, in, room, MPI_INT, dest, tag, MPI_COMM_WORLD, &s, false, UK_SYNCHRONOUS)
                    : PMPI_Sendrecv(out, 3, MPI_INT, dest, tag, in, room, MPI_INT, dest, tag, MPI_COMM_WORLD, &s);
    if (rc == MPI_SUCCESS)
        MPI_Get_count(&s, MPI_INT, &n);
    printf("%s rc %d source %d tag %d count %d data %d %d %d %d\n", replace ? "replace" : "sendrecv", class_of(rc),
           rc == MPI_SUCCESS ? s.MPI_SOURCE : 0, rc == MPI_SUCCESS ? s.MPI_TAG : 0, n, result[0], result[1], result[2], result[3]);
}

static void exchanges(bool forced)
{
    for (int replace = 0; replace < 2; replace++) {
        exchange(forced, replace, 0, 5, 3);
        exchange(forced, replace, 0, 5, 4);
        exchange(forced, replace, MPI_PROC_NULL, 5, 3);
        exchange(forced, replace, 9, 5, 3);
        exchange(forced, replace, 0, -5, 3);
    }
}

// A library may pass over that the message was too long for the receive (Open MPI 4.1 does, in MPI_Sendrecv); what the plan
// makes of the call says it, and the send is over all the same.
static void too_short(void)
{
    int out[3] = {1, 2, 3}, in = 0;
    MPI_Status s;
    int rc = uk_forced_sendrecv(out, 3, MPI_INT, 0, 5, &in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &s, false, UK_SYNCHRONOUS);
    printf("too little room\ntruncated %d\n", class_of(rc) == MPI_ERR_TRUNCATE);
}

// Message k has tag k. The plan decides receives by tag, as there is one source only.
static void requests(const char *plan)
{
    open_plan(plan, 0);
    int in[2] = {-1, -1}, out = 0;
    int values[4] = {0, 1, 2, 3};
    MPI_Request r[2], s, sent[4];
    MPI_Datatype type;
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 2; i++) {
        MPI_Recv_init(&in[i], 1, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[i]);
        uk_forced_persistent(r[i], false, &in[i], 1, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, false);
    }
    MPI_Send_init(&out, 1, type, 0, 100, MPI_COMM_WORLD, &s);
    uk_forced_persistent(s, true, &out, 1, type, 0, 100, MPI_COMM_WORLD, false);
    MPI_Type_free(&type);
    for (int k = 0; k < 4; k++)
        MPI_Isend(&values[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &sent[k]);
    for (int round = 0; round < 2; round++) {
        bool changed = uk_forced_start(&uk_self, r, 2);
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        printf("changed %d: messages %d %d\n", changed, in[0], in[1]);
    }
    MPI_Waitall(4, sent, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 3; k++) { // the second is synchronous; the others may be too, if the library does not buffer
        int done = 0;
        bool changed = uk_forced_start(&uk_self, &s, 1);
        MPI_Start(&s);
        for (int i = 0; i < 1000 && !done; i++)
            MPI_Test(&s, &done, MPI_STATUS_IGNORE);
        printf("changed %d%s\n", changed, k == 1 && done ? ": sent before it is received" : "");
        MPI_Recv(&in[0], 1, MPI_INT, 0, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!done)
            MPI_Wait(&s, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; i++) {
        uk_forced_free(&r[i]);
        MPI_Request_free(&r[i]);
    }
    uk_forced_free(&s);
    MPI_Request_free(&s);
    uk_forced_free(NULL);
}

// One call on three requests, of messages that are there; the last request is persistent and inactive.
static void choose(enum uk_choice_kind kind, MPI_Request *r)
{
    int flag = -1, index = -1, outcount = -1, indices[3] = {-1, -1, -1};
    MPI_Status s[3] = {{.MPI_TAG = -1}, {.MPI_TAG = -1}, {.MPI_TAG = -1}};
    MPI_Message m;
    struct uk_choice c = {kind, 3, r, &flag, &index, &outcount, indices, s, 0, 3, MPI_COMM_WORLD, &m};
    struct uk_chosen chosen = {0};
    uk_forced_choice(&uk_self, kind, 3, r, &chosen);
    if (!chosen.forced) {
        printf("%d: as it is\n", kind);
        return;
    }
    int rc = uk_forced_choose(&c, &chosen);
    printf("%d: rc %d flag %d index %d outcount %d indices %d %d tags %d %d\n", kind, rc, flag, index < 0 ? -1 : index, outcount, indices[0],
           indices[1], s[0].MPI_TAG, s[1].MPI_TAG);
}

static void choices(const char *plan)
{
    open_plan(plan, 0);
    int in[3] = {0}, out = 7;
    MPI_Request r[3], sent[2];
    MPI_Recv_init(&in[2], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &r[2]);
    static const enum uk_choice_kind kinds[] = {UK_TESTSOME, UK_TESTANY, UK_WAITSOME, UK_WAITANY, UK_TESTALL, UK_TEST};
    for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; k++) {
        for (int i = 0; i < 2; i++) {
            MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &r[i]);
            MPI_Isend(&out, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &sent[i]);
        }
        choose(kinds[k / 2], r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
    }
    MPI_Isend(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &sent[0]);
    choose(UK_IPROBE, NULL);
    choose(UK_IMPROBE, NULL);
    choose(UK_IPROBE, NULL);
    uk_forced_end(&uk_self);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    uk_step_aside(&uk_self); // records go where nobody reads them
    if (argc > 2 && strcmp(argv[1], "files") == 0)
        files(argc - 2, argv + 2);
    else if (argc > 2 && strcmp(argv[1], "requests") == 0)
        requests(argv[2]);
    else if (argc > 2 && strcmp(argv[1], "choices") == 0) {
        choices(argv[2]);
        fflush(stdout);
        _exit(0); // a matched probe has taken a message that nobody receives
    } else {
        exchanges(false);
        printf("as planned\n");
        exchanges(true);
        too_short();
    }
    MPI_Finalize();
    return 0;
}
