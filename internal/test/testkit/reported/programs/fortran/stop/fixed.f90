! run: -n 3
module solver
  use mpi
  implicit none
contains
  subroutine solve(rank, error)
    integer, intent(in) :: rank
    integer, intent(out) :: error
    error = merge(1, 0, rank == 1)
  end subroutine solve
end module solver

program model
  use solver
  implicit none
  integer :: ierr, rank, error, worst
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call solve(rank, error)
  call MPI_Allreduce(error, worst, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (worst == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program model
