// The handler that MPI's old C++ functions bring along is not the program's to free.
// only: mpich
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    MPI::Errhandler given = MPI::COMM_WORLD.Get_errhandler();
    given = MPI::COMM_WORLD.Get_errhandler();
    MPI::Finalize();
    return 0;
}
