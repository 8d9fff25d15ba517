! run: -n 2
! One status for two requests, whose number the compiler does not know.
program pair
  implicit none
  include 'mpif.h'
  type spare
    sequence
    integer :: status(MPI_STATUS_SIZE), room(64)
  end type spare
  type(spare) :: s
  integer :: rank, given, got, n, requests(4), ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  given = rank
  n = 1
  call MPI_Irecv(got, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(n), ierr)
  n = n + 1
  call MPI_Isend(given, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(n), ierr)
  call MPI_Waitall(n, requests, s%status, ierr) ! want: which has room for 1 status; MPI writes 2 statuses of
  call MPI_Finalize(ierr)
end program pair
