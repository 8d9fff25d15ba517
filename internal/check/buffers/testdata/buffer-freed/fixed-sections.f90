! run: -n 2
! Sections that are contiguous, and rows in blocking calls.
program columns
  use mpi
  implicit none
  integer, parameter :: nx = 6, ny = 4
  integer :: rank, other, requests(2), ierr
  real(8) :: field(ny, nx), line(30), part(nx)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  field = rank
  line = rank
  call MPI_Irecv(part, ny, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(field(:, nx - 1), ny, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Irecv(part, 2, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(line(3:4), 2, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Irecv(part, nx, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(field(ny - 1, nx), 1, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Sendrecv(field(2, :), nx, MPI_DOUBLE_PRECISION, other, 1, part, nx, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, &
    MPI_STATUS_IGNORE, ierr)
  call MPI_Bcast(field(3, :), nx, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program columns
