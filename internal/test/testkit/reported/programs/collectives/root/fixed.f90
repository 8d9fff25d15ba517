! run: -n 1
program sinks
  use mpi
  implicit none
  integer :: ierr
  real(8) :: mass(3)
  call MPI_Init(ierr)
  mass = 1
  call MPI_Bcast(mass, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program sinks
