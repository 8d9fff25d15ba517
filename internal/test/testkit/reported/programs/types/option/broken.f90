! reported: E3SM-Project/E3SM 2461, integer options are broadcast as MPI_LOGICAL
module options
  implicit none
  integer :: method = 2
  logical :: verbose = .false.
end module options

program read_options
  use mpi
  use options
  implicit none
  integer :: ierr, rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) method = 3
  call MPI_Bcast(verbose, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(method, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr) ! want: type-variable: MPI_LOGICAL
  if (method /= 3) error stop 'method'
  call MPI_Finalize(ierr)
end program read_options
