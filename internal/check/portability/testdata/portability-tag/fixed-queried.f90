! Tags above 32767 are used only if the library allows them.
! only: openmpi
program queried
  use mpi
  implicit none
  integer :: rank, value, tag, ierr
  integer(MPI_ADDRESS_KIND) :: most
  logical :: there

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, most, there, ierr)
  tag = 100
  if (there .and. most >= 70000) tag = 70000
  value = rank
  if (rank == 0) then
    call MPI_Send(value, 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program
