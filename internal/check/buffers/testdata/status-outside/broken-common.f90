! run: -n 2
! A status that is one integer of a COMMON block, behind which there is room for what MPI writes.
program common_status
  implicit none
  include 'mpif.h'
  integer :: rank, value, ierr, msg_status, room(8)
  common /received/ msg_status, room
  value = 1
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Send(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, msg_status, ierr) ! want: calls MPI_Recv with status (`msg_status`), which has room for 4 bytes; MPI writes 1 status of
  end if
  call MPI_Finalize(ierr)
end program common_status
