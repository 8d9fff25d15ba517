! Ready sends that are started before the barrier behind which the receives are posted, and one to the rank itself.
program ready
  use mpi_f08
  implicit none
  type(MPI_Request) :: request
  integer :: rank, field(4), halo(4)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  field = rank
  call MPI_Irsend(field, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, request) ! want: starts a ready send by MPI_Irsend before rank
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Recv(halo, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Irsend(field, 4, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, request) ! want: starts a ready send to itself by MPI_Irsend before it posts the receive by MPI_Recv
  call MPI_Recv(halo, 4, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program ready
