! The copy of a section is gone when the request is made, so no start has it.
program persistent
  implicit none
  include 'mpif.h'
  integer :: rank, ierr, r, n
  real(8), allocatable :: a(:, :), got(:)

  call MPI_Init(ierr) ! run: -n 2
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = 300
  allocate(a(n, n), got(n))
  a = rank
  call MPI_Send_init(a(3, :), n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r, ierr) ! want: MPI_Send_init with buf (`a(3, :)`), which is not contiguous: the compiler passed a copy that was gone when MPI_Send_init returned
  call MPI_Start(r, ierr) ! note: the operation was started by MPI_Start at main program persistent (broken-persistent.f90:14)
  call MPI_Recv(got, n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)
  call MPI_Request_free(r, ierr)
  call MPI_Finalize(ierr)
end program persistent
