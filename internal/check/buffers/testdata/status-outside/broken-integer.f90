! run: -n 2
! A status that is one integer, as mpif.h lets it be. Behind it is room for what MPI writes.
program number
  implicit none
  include 'mpif.h'
  integer :: rank, value, ierr
  type spare
    sequence
    integer :: status, room(8)
  end type spare
  type(spare) :: s
  value = 1
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Send(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, s%status, ierr) ! want: calls MPI_Recv with status (`s%status`), which has room for 4 bytes; MPI writes 1 status of
  end if
  call MPI_Finalize(ierr)
end program number
