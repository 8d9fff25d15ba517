module precision
  implicit none
  integer, parameter :: wp = kind(1.0)
end module precision

program solver
  use mpi_f08
  use precision
  implicit none
  real(kind=wp) :: local(3), total(3)
  call MPI_Init()
  local = 1
  call norms(local, total)
  print *, total(1)
  call MPI_Finalize()
contains
  subroutine norms(part, whole)
    real(kind=wp), intent(in) :: part(:)
    real(kind=wp), intent(out) :: whole(:)
    call MPI_Allreduce(part, whole, size(part), MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
  end subroutine norms
end program solver
