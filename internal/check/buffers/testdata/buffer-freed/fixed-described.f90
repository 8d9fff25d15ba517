! run: -n 2
! only: mpich
! With mpi_f08, MPICH takes sections as they are (MPI_SUBARRAYS_SUPPORTED).
program described
  use mpi_f08
  implicit none
  integer, parameter :: nx = 6, ny = 4
  integer :: rank, other
  type(MPI_Request) :: requests(2)
  real(8) :: field(ny, nx)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (.not. MPI_SUBARRAYS_SUPPORTED) call MPI_Abort(MPI_COMM_WORLD, 1)
  other = 1 - rank
  field = rank
  call MPI_Irecv(field(1, :), nx, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(field(ny - 1, :), nx, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  if (any(field(1, :) /= other)) error stop 'a row is missing'
  call MPI_Finalize()
end program described
