! Sections with gaps, and expressions, are copied for the call alone: seen without options.
program sections
  use mpi
  implicit none
  type cell
    integer :: x, y
  end type
  integer :: rank, ierr, r(4), n, k
  integer, allocatable :: a(:, :), list(:), got(:)
  type(cell), allocatable :: c(:)

  call MPI_Init(ierr) ! run: -n 2
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = 400
  allocate(a(n, n), c(n), list(n), got(n))
  a = rank
  c%x = rank
  c%y = rank
  list = [(k, k=1, n)]
  call MPI_Irecv(a(1, :), n, MPI_INTEGER, 1 - rank, 9, MPI_COMM_WORLD, r(1), ierr) ! want: MPI_Irecv with buf (`a(1, :)`), which is not contiguous: the compiler passed a copy that was gone when MPI_Irecv returned
  call MPI_Isend(a(2, :), n, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, r(2), ierr) ! want: MPI_Isend with buf (`a(2, :)`), which is not contiguous: the compiler passed a copy that was gone when MPI_Isend returned
  call MPI_Isend(c%y, n, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, r(3), ierr) ! want: MPI_Isend with buf (`c%y`), which is not contiguous
  call MPI_Isend(a(list, 1), n, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, r(4), ierr) ! want: the compiler passed a copy that was gone when MPI_Isend returned
  call MPI_Recv(got, n, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Recv(got, n, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Recv(got, n, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Cancel(r(1), ierr)
  call MPI_Waitall(4, r, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program sections
