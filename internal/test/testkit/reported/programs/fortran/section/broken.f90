! reported: pmodels/mpich 7098, the rows of a field are passed to non-blocking calls as sections
program rows
  use mpi
  implicit none
  integer, parameter :: nx = 6, ny = 4
  integer :: field(ny, nx), ierr, rank, other, requests(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  field = rank
  call MPI_Irecv(field(1, :), nx, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1), ierr) ! want: buffer-freed: not contiguous
  call MPI_Isend(field(ny - 1, :), nx, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program rows
! also: buffer-overlap sent-buffer-modified rank-died
