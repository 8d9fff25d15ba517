! Ready sends behind a barrier before which the receives are posted.
program ready
  use mpi_f08
  implicit none
  type(MPI_Request) :: request
  integer :: rank, field(4), halo(4)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  field = rank
  call MPI_Irecv(halo, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, request)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Rsend(field, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Irecv(halo, 4, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, request)
  call MPI_Rsend(field, 4, MPI_INTEGER, rank, 2, MPI_COMM_WORLD)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program ready
