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
  if (rank == 0) then
    whole = field
    do source = 1, size - 1
      call MPI_Recv(whole, n, MPI_REAL, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
  else
    call MPI_Send(field, n, MPI_REAL, 0, 1, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program interpolate
