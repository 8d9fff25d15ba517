! Sections of arrays beside pending elements.
! run: -n 1
! by: unknot -O2
module sections
contains
  subroutine double_all(a)
    double precision, intent(inout) :: a(:)
    integer :: i
    do i = 1, size(a)
      a(i) = 2 * a(i)
    end do
  end subroutine
end module

program fixed
  use mpi
  use sections
  implicit none
  double precision :: grid(64, 64), data
  integer :: request, ierr

  call MPI_Init(ierr)
  grid = 1
  data = 0
  call MPI_Irecv(grid(5, 60), 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, request, ierr)
  call double_all(grid(4, :))
  call double_all(grid(6, :))
  call double_all(grid(5, 1:59))
  call double_all(grid(64:6:-2, 60))
  call double_all(grid(1:64:2, 59))
  call double_all(grid(5, 61:60))
  grid(:, 61) = grid(:, 59)
  call MPI_Send(data, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  print *, sum(grid)
  call MPI_Finalize(ierr)
end program
