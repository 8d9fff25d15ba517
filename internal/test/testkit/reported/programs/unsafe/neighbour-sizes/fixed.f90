! run: -n 3
program sizes
  use mpi
  implicit none
  integer :: ierr, rank, n, mine, theirs(3), k, requests(3)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  mine = rank
  do k = 1, 3
    call MPI_Irecv(theirs(k), 1, MPI_INTEGER, mod(rank + n - 1, n), k, MPI_COMM_WORLD, requests(k), ierr)
  end do
  do k = 1, 3
    call MPI_Send(mine, 1, MPI_INTEGER, mod(rank + 1, n), k, MPI_COMM_WORLD, ierr)
  end do
  call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program sizes
