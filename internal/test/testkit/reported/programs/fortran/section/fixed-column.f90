! A section that is contiguous, and one of which a whole array is passed: no copy is made of either.
program columns
  use mpi_f08
  implicit none
  integer, parameter :: nx = 6, ny = 4
  integer :: field(ny, nx), rank, other
  type(MPI_Request) :: requests(4)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  other = 1 - rank
  field = rank
  call MPI_Irecv(field(:, 1), ny, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1))
  call MPI_Irecv(field(1:2, nx), 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Isend(field(:, 2), ny, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(3))
  call MPI_Isend(field(1:2, nx - 1), 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(4))
  call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
  call MPI_Finalize()
end program columns
