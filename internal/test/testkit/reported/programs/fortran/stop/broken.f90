! reported: MITgcm/MITgcm 439, adaptive-cfd/WABBIT 20, martinit18/nested_fit 30: one rank stops with a message, the others wait
! run: -n 3
module solver
  use mpi
  implicit none
contains
  subroutine solve(rank)
    integer, intent(in) :: rank
    if (rank == 1) stop 'the tridiagonal solver has failed' ! want: rank-died: STOP
  end subroutine solve
end module solver

program model
  use solver
  implicit none
  integer :: ierr, rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call solve(rank)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program model
! also: deadlock
