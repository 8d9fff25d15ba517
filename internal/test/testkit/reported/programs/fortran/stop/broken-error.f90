! reported: MFlowCode/MFC 1483, NCAR/wrf_hydro_nwm_public 563: an input check ends with an error stop on the rank that has the bad cell
! run: -n 3
program check_input
  use mpi_f08
  implicit none
  integer :: rank, cells, all
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  cells = 8 - 4 * rank
  call check(cells)
  call MPI_Allreduce(cells, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
contains
  subroutine check(n)
    integer, intent(in) :: n
    if (n < 1) error stop 'no ghost point' ! want: rank-died: ERROR STOP
  end subroutine check
end program check_input
! also: deadlock
