! run: -n 2
! Truth values as MPI_LOGICAL, and as integers, as old programs have them.
program options
  implicit none
  include 'mpif.h'
  integer :: ierr
  logical :: verbose, flags(4), any_of
  call MPI_Init(ierr)
  verbose = .true.
  flags = .false.
  call MPI_Bcast(verbose, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(flags, 4, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Allreduce(verbose, any_of, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(verbose, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program options
