! reported: firemodels/fds 1720, Mantevo/miniMD PR 8: each rank sends small numbers to its neighbours before it receives; it hung with another MPI
! run: -n 3
program sizes
  use mpi
  implicit none
  integer :: ierr, rank, n, mine, theirs, k
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  mine = rank
  do k = 1, 3
    call MPI_Send(mine, 1, MPI_INTEGER, mod(rank + 1, n), k, MPI_COMM_WORLD, ierr) ! want: deadlock-unsafe: buffer
  end do
  do k = 1, 3
    call MPI_Recv(theirs, 1, MPI_INTEGER, mod(rank + n - 1, n), k, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_Finalize(ierr)
end program sizes
