// The functions that begin and end a watched process, in C. Fortran entry points that do not pass here are generated.
//
// Runs: in place of these functions, in every process that calls them.
//
// Never: keeps the real function from being called, or changes its result.
#include "process/process.h"

typedef int init_type(int *, char ***);
typedef int init_thread_type(int *, char ***, int, int *);
typedef int finalize_type(void);
typedef int abort_type(uintptr_t, int);

// A handle is passed on as it was given, see gen.
UK_API int uk_MPI_Abort(uintptr_t comm, int code) __asm__("MPI_Abort");

// MPI_Query_thread after MPI_Init tells the level, which need not be MPI_THREAD_SINGLE.
static int level(void)
{
    int provided = MPI_THREAD_MULTIPLE;
    ((int (*)(int *))uk_sym("PMPI_Query_thread"))(&provided);
    return provided;
}

int MPI_Init(int *argc, char ***argv)
{
    uk_init_begin(uk_id_init, __builtin_return_address(0));
    int rc = ((init_type *)uk_sym("PMPI_Init"))(argc, argv);
    if (rc == MPI_SUCCESS)
        uk_init_end(MPI_THREAD_SINGLE, level());
    else
        uk_init_failed();
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    uk_init_begin(uk_id_init_thread, __builtin_return_address(0));
    int rc = ((init_thread_type *)uk_sym("PMPI_Init_thread"))(argc, argv, required, provided);
    if (rc == MPI_SUCCESS)
        uk_init_end(required, level());
    else
        uk_init_failed();
    return rc;
}

int MPI_Finalize(void)
{
    uk_outside(uk_id_finalize, __builtin_return_address(0));
    uk_finalize_begin(uk_site_of(&uk_self, __builtin_return_address(0), UK_FRAME));
    int rc = ((finalize_type *)uk_sym("PMPI_Finalize"))();
    uk_finalize_end();
    return rc;
}

int uk_MPI_Abort(uintptr_t comm, int code)
{
    uk_outside(uk_id_abort, __builtin_return_address(0));
    uk_abort_note(code, uk_site_of(&uk_self, __builtin_return_address(0), UK_FRAME));
    return ((abort_type *)uk_sym("PMPI_Abort"))(comm, code);
}
