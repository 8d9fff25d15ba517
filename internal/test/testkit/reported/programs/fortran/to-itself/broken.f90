! reported: NOAA-EMC/global-workflow 2498, a send of a large field to the writing task never returns; small fields pass
! run: -n 3
program interpolate
  use mpi
  implicit none
  integer, parameter :: n = 200000
  real :: field(n), whole(n)
  integer :: ierr, rank, size, source
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  field = rank
  call MPI_Send(field, n, MPI_REAL, 0, 1, MPI_COMM_WORLD, ierr) ! want: deadlock: itself
  if (rank == 0) then
    do source = 0, size - 1
      call MPI_Recv(whole, n, MPI_REAL, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
  end if
  call MPI_Finalize(ierr)
end program interpolate
