! run: -n 2
program small_field
  use mpi_f08
  implicit none
  integer :: rank, mine(4), whole(4), source
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  mine = rank
  call MPI_Send(mine, 4, MPI_INTEGER, 0, 1, MPI_COMM_WORLD) ! want: deadlock-unsafe: itself
  if (rank == 0) then
    do source = 0, 1
      call MPI_Recv(whole, 4, MPI_INTEGER, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end do
  end if
  call MPI_Finalize()
end program small_field
