! reported: ramses-organisation/ramses PR 276, a broadcast from rank 1 where the root is always the first rank
! run: -n 1
program sinks
  use mpi
  implicit none
  integer :: ierr
  real(8) :: mass(3)
  call MPI_Init(ierr)
  mass = 1
  call MPI_Bcast(mass, 3, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD, ierr) ! want: rank-invalid: root
  call MPI_Finalize(ierr)
end program sinks
! also: rank-died call-failed
