! reported: SPECFEM/specfem2d PR 14, pmodels/mpich 1428: the status of a receive is one integer, where MPI writes an array
program status_of_receive
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, n, msg_status
  common /received/ msg_status
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = rank
  if (rank == 0) then
    call MPI_Send(n, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, msg_status, ierr) ! want: status-outside: msg_status
    ! hint: MPI_STATUS_SIZE
  end if
  call MPI_Finalize(ierr)
end program status_of_receive
! also: rank-died
