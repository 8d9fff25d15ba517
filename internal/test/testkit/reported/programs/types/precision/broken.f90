! reported: FESOM/fesom2 PR 1030, a single precision field is reduced as double precision after a merge
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
    call MPI_Allreduce(part, whole, size(part), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD) ! want: type-variable: MPI_DOUBLE_PRECISION
  end subroutine norms
end program solver
! also: buffer-outside buffer-overlap rank-died
