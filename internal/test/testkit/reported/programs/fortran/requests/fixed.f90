program exchange
  use mpi
  implicit none
  integer, allocatable :: requests(:)
  integer :: ierr, rank, n, send(3), recv(3)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  allocate(requests(3))
  send = rank
  do n = 1, 3
    call MPI_Irecv(recv(n), 1, MPI_INTEGER, 1 - rank, n, MPI_COMM_WORLD, requests(n), ierr)
  end do
  do n = 1, 3
    call MPI_Send(send(n), 1, MPI_INTEGER, 1 - rank, n, MPI_COMM_WORLD, ierr)
  end do
  call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program exchange
