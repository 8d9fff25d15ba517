! reported: NCAR/DART 1051, the size of a window is computed with default integers and overflows
program state_window
  use mpi
  implicit none
  integer :: ierr, bytes, variables, copies, win
  integer(kind=MPI_ADDRESS_KIND) :: window_size
  real(8) :: state(10)
  call MPI_Init(ierr)
  state = 0
  variables = 38006229
  copies = 9
  call MPI_Type_size(MPI_REAL8, bytes, ierr)
  window_size = variables * copies * bytes
  call MPI_Win_create(state, window_size, bytes, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! want: count-negative: -1558518808
  ! hint: overflow
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program state_window
! also: call-failed rank-died
