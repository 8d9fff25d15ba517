! run: -n 2
! Rows and strided parts of small arrays: of these the compiler may have its copies on the stack.
program rows
  use mpi
  implicit none
  integer, parameter :: nx = 6, ny = 4
  integer :: rank, other, requests(2), ierr
  real(8) :: field(ny, nx), line(30), row(nx)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  field = rank
  line = rank
  call MPI_Irecv(row, nx, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(field(ny - 1, :), nx, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(2), ierr) ! want: with buf (`field(ny - 1, :)`), which is not contiguous: the compiler passed a copy that was gone when MPI_Isend returned
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Irecv(row, nx, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(line(1:30:5), nx, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(2), ierr) ! want: with buf (`line(1:30:5)`), which is not contiguous
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program rows
