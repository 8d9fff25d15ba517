! Double precision is sent, single precision is received.
program mismatch
  use mpi
  implicit none
  integer :: rank, ierr, status(MPI_STATUS_SIZE)
  double precision :: mass(4) = 1
  real :: received(8)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Send(mass, 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, ierr) ! want: Rank 0 sends MPI_DOUBLE_PRECISION where rank 1 expects MPI_REAL
  else if (rank == 1) then
    call MPI_Recv(received, 8, MPI_REAL, 0, 0, MPI_COMM_WORLD, status, ierr)
  end if
  call MPI_Finalize(ierr)
end program
