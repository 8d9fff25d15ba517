// Records the limits of the MPI library, once at the start, and the errors of calls.

//
// Runs: in a recorded call, as objects.h says, and at MPI_Init.
//
// Never: locks or allocates; asks MPI about an error code that is not certainly its own: for others it would end the
// job.
#include "objects/objects.h"
#include <string.h>

typedef int extent_of(MPI_Datatype, MPI_Aint *, MPI_Aint *);

uint64_t uk_tag_bound(MPI_Comm comm, uint64_t otherwise)
{
    typedef int get(MPI_Comm, int, void *, int *);
    int *value = NULL, found = 0;
    if (ASK(MPI_Comm_get_attr, get, comm, MPI_TAG_UB, &value, &found) != MPI_SUCCESS || !found)
        return otherwise;
    return (uint64_t)*value;
}

void uk_data_limits(struct uk_thread *t, int required, int provided, uint64_t tag_ub, unsigned init, uint64_t site)
{
    typedef int get(MPI_Comm, MPI_Errhandler *);
    typedef int give_back(MPI_Errhandler *);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    bool predefined = true;
    if (!uk_worldless && ASK(MPI_Comm_get_errhandler, get, uk_world(), &handler) == MPI_SUCCESS) {
        predefined = handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN;
#ifdef MPI_ERRORS_ABORT
        predefined = predefined || handler == MPI_ERRORS_ABORT;
#endif
        ASK(MPI_Errhandler_free, give_back, &handler);
    }
    uint64_t *w = uk_begin(t, UK_DATA_LIMITS, UK_DATA, site, UK_DATA_LIMITS_FIXED);
    w[UK_DATA_LIMITS_TAG_UB] = tag_ub;
    w[UK_DATA_LIMITS_REQUIRED] = (uint64_t)required;
    w[UK_DATA_LIMITS_PROVIDED] = (uint64_t)provided;
    w[UK_DATA_LIMITS_PREDEFINED] = predefined;
    w[UK_DATA_LIMITS_INIT] = init;
    uk_commit(t);
}

// A structure of a byte and then something of the type ends with padding to the alignment (MPI-4.0, 5.1.6), so it is
// longer than the type by the alignment.
static MPI_Aint alignment(MPI_Datatype type, MPI_Aint extent)
{
    typedef int make(int, const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Datatype *);
    typedef int unmake(MPI_Datatype *);
    const int one[] = {1, 1};
    const MPI_Aint at[] = {0, 1};
    const MPI_Datatype types[] = {MPI_CHAR, type};
    MPI_Datatype both;
    MPI_Aint lb = 0, length = extent + 1;
    if (ASK(MPI_Type_create_struct, make, 2, one, at, types, &both) != MPI_SUCCESS)
        return 1;
    ASK(MPI_Type_get_extent, extent_of, both, &lb, &length);
    ASK(MPI_Type_free, unmake, &both);
    return length - extent > 0 ? length - extent : 1;
}

size_t uk_basic(uint64_t w[UK_DATA_BASICS_FIXED], MPI_Datatype type)
{
    typedef int size_of(MPI_Datatype, int *);
    MPI_Aint lb = 0, extent = 0;
    int size = 0;
    if ((uintptr_t)type == 0 || type == MPI_DATATYPE_NULL)
        return 0; // the library was built without it
    if (ASK(MPI_Type_size, size_of, type, &size) != MPI_SUCCESS || size <= 0 ||
        ASK(MPI_Type_get_extent, extent_of, type, &lb, &extent) != MPI_SUCCESS)
        return 0;
    w[UK_DATA_BASICS_HANDLE] = UK_H(type);
    w[UK_DATA_BASICS_SIZE] = (uint64_t)size;
    w[UK_DATA_BASICS_EXTENT] = (uint64_t)extent;
    w[UK_DATA_BASICS_ALIGNMENT] = (uint64_t)alignment(type, extent);
    return UK_DATA_BASICS_FIXED;
}

void uk_null(struct uk_thread *t, unsigned func, unsigned param)
{
    uint64_t *w = uk_begin(t, UK_DATA_NULL, UK_DATA, 0, UK_DATA_NULL_FIXED);
    w[UK_DATA_NULL_FUNC] = func;
    w[UK_DATA_NULL_PARAM] = param;
    uk_commit(t);
}

// Says whether MPI may be asked what a code means: some calls of Open MPI return an internal code, which is negative,
// and to ask for that would end the job.
static bool meant(int code)
{
#ifdef OPEN_MPI
    return code > 0 && code <= MPI_ERR_LASTCODE;
#else
    return code > 0;
#endif
}

void uk_error(struct uk_thread *t, unsigned func, int code)
{
    typedef int class_of(int, int *);
    typedef int string_of(int, char *, int *);
    // MPICH 4.0 writes behind the end of one that is as long as MPI says, after what it finds there.
    char text[8 * MPI_MAX_ERROR_STRING] = "";
    int class = code, n = 0;
    if (meant(code) && ASK(MPI_Error_class, class_of, code, &class) == MPI_SUCCESS)
        ASK(MPI_Error_string, string_of, code, text, &n);
    const size_t length = (size_t)(n < 0 ? 0 : n < MPI_MAX_ERROR_STRING ? n : MPI_MAX_ERROR_STRING - 1);
    const uint64_t words[] = {
        [UK_DATA_ERROR_FUNC] = func,
        [UK_DATA_ERROR_CLASS] = (uint64_t)(int64_t) class,
        [UK_DATA_ERROR_TEXT] = length,
    };
    struct uk_chunk chunks[] = {{words, UK_DATA_ERROR_FIXED, UK_WORDS}, {text, length, UK_BYTES}};
    uk_long(t, UK_DATA_ERROR, UK_DATA, 0, chunks, 2);
}

int64_t uk_contents(MPI_Datatype type, int64_t most)
{
    int integers, addresses, datatypes = 0, combiner;
    uk_envelope(type, &integers, &addresses, &datatypes, &combiner);
    return datatypes < most ? datatypes : most;
}

#ifdef MPI_UNWEIGHTED
const int *uk_weights(const char *name)
{
    return strcmp(name, "MPI_UNWEIGHTED") == 0 ? MPI_UNWEIGHTED : MPI_WEIGHTS_EMPTY;
}
#else
const int *uk_weights(const char *name)
{
    int **object = uk_sym(name);
    return object ? *object : NULL;
}
#endif

bool uk_has_weights(const int *at)
{
    return at && at != uk_weights("MPI_UNWEIGHTED") && at != uk_weights("MPI_WEIGHTS_EMPTY");
}
