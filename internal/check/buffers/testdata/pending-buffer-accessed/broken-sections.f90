! Sections of arrays that reach a pending buffer, with strides that the program knows only when it runs.
! run: -n 1
! by: unknot -O2
module sections
contains
  subroutine double_all(a)
    double precision, intent(inout) :: a(:)
    integer :: i
    do i = 1, size(a)
      a(i) = 2 * a(i) ! here: double_all
    end do
  end subroutine
end module

program broken
  use mpi
  use sections
  implicit none
  double precision :: grid(64, 64), data
  integer :: request, ierr

  call MPI_Init(ierr)
  grid = 1
  data = 0

  call MPI_Irecv(grid(5, 60), 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, request, ierr) ! want: MPI_Irecv
  call double_all(grid(5, :)) ! a row
  call MPI_Send(data, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr) ! note: broken-sections.f90:10

  call MPI_Irecv(grid(64, 3), 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, request, ierr) ! want: writes to that memory
  grid(:, 3) = 0 ! note: it is written to at main program broken (broken-sections.f90:32)
  call MPI_Send(data, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)

  call MPI_Irecv(grid(2, 9), 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, request, ierr) ! want: MPI_Irecv
  call double_all(grid(64:2:-2, 9)) ! backwards
  call MPI_Send(data, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr) ! note: broken-sections.f90:10

  print *, sum(grid)
  call MPI_Finalize(ierr)
end program
