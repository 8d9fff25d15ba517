! Variables of real(8) and integer(8) with the datatypes of real(4) and integer(4), in a program, a module and a procedure.
module fields
  implicit none
  real(8), allocatable :: halo(:)
contains
  subroutine spread(values, n)
    use mpi
    integer, intent(in) :: n
    real(4), intent(inout) :: values(n)
    integer :: ierr
    call MPI_Bcast(values, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr) ! want: MPI_Bcast with buffer (`values`) and datatype that differ: `values` is real(4), MPI_DOUBLE_PRECISION is real(8).
  end subroutine
end module

program differ
  use mpi
  use fields
  implicit none
  integer :: rank, ierr, i
  real(8) :: psi(50), worst(50), err, gerr
  real(4) :: room(8)
  integer(8) :: total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  psi = [(rank + i * 0.25d0, i = 1, 50)]
  err = maxval(psi)
  total = 1
  room = 1
  allocate (halo(10))
  halo = 0
  call MPI_Allreduce(err, gerr, 1, MPI_REAL, MPI_MAX, MPI_COMM_WORLD, ierr) ! want: MPI_Allreduce with sendbuf (`err`) and datatype that differ: `err` is real(8), MPI_REAL is real(4).
  ! note: the call sends 4 of the 8 bytes of `err`
  call MPI_Reduce(psi, worst, 50, MPI_REAL, MPI_MAX, 0, MPI_COMM_WORLD, ierr) ! want: `psi` is real(8), MPI_REAL is real(4).
  call MPI_Bcast(total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr) ! want: pass MPI_INTEGER8 for integer(8)
  call MPI_Bcast(halo(3:), 5, MPI_REAL, 0, MPI_COMM_WORLD, ierr) ! want: `halo(3:)` is real(8), MPI_REAL is real(4).
  call spread(room, 4)
  call MPI_Finalize(ierr)
end program
