! run: -n 2
! Procedures start the operations, and are passed a row of an array: the compiler copies it, and the copy is gone when they return.
module halo
  use mpi
  implicit none
contains
  subroutine fetch(row, n, other, request)
    integer, intent(in) :: n, other
    real(8) :: row(n)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Irecv(row, n, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, ierr) ! want: MPI_Irecv with buf (`row`), for which the caller of halo::fetch passes `field(1,:)`, which is not contiguous: the compiler passed a copy that was gone when halo::fetch returned.
    ! hint: receive into a contiguous array
  end subroutine fetch
  subroutine give(row, n, other, request)
    integer, intent(in) :: n, other
    real(8) :: row(*)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(row, n, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, ierr) ! want: MPI_Isend with buf (`row`), for which the caller of halo::give passes `field(8,:)`, which is not contiguous: the compiler passed a copy that was gone when halo::give returned.
    ! hint: send from a contiguous copy
  end subroutine give
end module halo

program rows
  use halo
  implicit none
  real(8), allocatable :: field(:,:)
  integer :: rank, n, ierr, requests(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = 16
  allocate(field(8, n))
  field = rank
  call fetch(field(1,:), n, 1 - rank, requests(1))
  call give(field(8,:), n, 1 - rank, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program rows
