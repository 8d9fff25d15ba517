! run: -n 2
! A call is passed as many requests as there were sends and receives, and the array has those of the receives.
program short
  use mpi
  implicit none
  integer, save :: before(8) = 0, requests(2) = 0, after(8) = 0
  integer :: rank, i, a, b(2), ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  a = 1
  do i = 1, 2
    call MPI_Irecv(b(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, requests(i), ierr)
  end do
  do i = 1, 2
    call MPI_Send(a, 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, ierr)
  end do
  call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr) ! want: MPI_Waitall with count 4, but array_of_requests (`requests`) has room for 2 requests.
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
  if (before(1) /= after(1)) stop 1
end program short
