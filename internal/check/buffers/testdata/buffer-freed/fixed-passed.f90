! run: -n 2
! Columns of an array are passed, which are contiguous, and rows to a procedure that waits before it returns.
module halo
  use mpi
  implicit none
contains
  subroutine fetch(column, n, other, request)
    integer, intent(in) :: n, other
    real(8) :: column(n)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Irecv(column, n, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, ierr)
  end subroutine fetch
  subroutine give(column, n, other, request)
    integer, intent(in) :: n, other
    real(8) :: column(*)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(column, n, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, ierr)
  end subroutine give
  subroutine swap(in, out, n, other)
    integer, intent(in) :: n, other
    real(8) :: in(n), out(n)
    integer :: ierr, requests(2)
    call fetch(in, n, other, requests(1))
    call give(out, n, other, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  end subroutine swap
end module halo

program columns
  use halo
  implicit none
  real(8), allocatable :: field(:,:)
  integer :: rank, n, ierr, requests(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = 16
  allocate(field(n, n))
  field = rank
  call fetch(field(:,1), n, 1 - rank, requests(1))
  call give(field(:,n), n, 1 - rank, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call swap(field(1,:), field(n,:), n, 1 - rank)
  call MPI_Finalize(ierr)
end program columns
