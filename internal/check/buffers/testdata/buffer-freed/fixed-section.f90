! Contiguous sections are passed as they are; a blocking call may have a copy; persistent requests end before their memory.
program sections
  use mpi
  implicit none
  integer :: rank, ierr, r(2), n
  real(8), allocatable :: a(:, :), row(:)

  call MPI_Init(ierr) ! run: -n 2
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = 300
  allocate(a(n, n), row(n))
  a = rank
  call MPI_Irecv(a(:, 1), n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r(1), ierr)
  call MPI_Isend(a(:, 2), n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r(2), ierr)
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)
  call MPI_Sendrecv(a(2, :), n, MPI_DOUBLE_PRECISION, 1 - rank, 1, a(1, :), n, MPI_DOUBLE_PRECISION, 1 - rank, 1, MPI_COMM_WORLD, &
    MPI_STATUS_IGNORE, ierr)
  row = a(2, :)
  call MPI_Send_init(row, n, MPI_DOUBLE_PRECISION, 1 - rank, 2, MPI_COMM_WORLD, r(1), ierr)
  call MPI_Start(r(1), ierr)
  call MPI_Recv(a(:, 3), n, MPI_DOUBLE_PRECISION, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(r(1), MPI_STATUS_IGNORE, ierr)
  call MPI_Request_free(r(1), ierr)
  deallocate(row)
  call MPI_Finalize(ierr)
end program sections
