program rows
  use mpi
  implicit none
  integer, parameter :: nx = 6, ny = 4
  integer :: field(ny, nx), below(nx), above(nx), ierr, rank, other, requests(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  field = rank
  above = field(ny - 1, :)
  call MPI_Irecv(below, nx, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(above, nx, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  field(1, :) = below
  call MPI_Finalize(ierr)
end program rows
