! What is no mistake: the right datatypes, LOGICAL as MPI_INTEGER, complex numbers as two reals, EQUIVALENCE and COMMON, a wrapper whose
! callers pass any type, sequence association, casts by TRANSFER and C_LOC.
module tools
  implicit none
contains
  subroutine spread(buffer, n, datatype)
    use mpi
    integer :: buffer(*), n, datatype, ierr
    call MPI_Bcast(buffer, n, datatype, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end module

program fits
  use mpi
  implicit none
  integer :: ierr, words(8), list(4), rank
  real(8) :: numbers(4), psi(50), both(2)
  complex(8) :: z(3)
  logical :: ok
  real(4), allocatable :: small(:, :)
  type point
    real(8) :: x, y, z
  end type
  type(point) :: p(2)
  common /block/ both
  equivalence (words, numbers)
  external :: anything
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  psi = rank; z = 1; ok = .true.; numbers = 1; both = 0; list = 0
  p = point(1, 2, 3)
  allocate (small(3, 3)); small = 0
  call MPI_Bcast(psi, 50, MPI_REAL8, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(psi, 50, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(psi(3), 2*4, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(z, 2*3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(z, 3, MPI_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(ok, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(ok, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(words, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(small(1, 2), 3, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(p, 6, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(p(2)%y, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call anything(psi, 10, MPI_DOUBLE_PRECISION)
  call anything(list, 4, MPI_INTEGER)
  call MPI_Finalize(ierr)
end program

subroutine anything(buffer, n, datatype)
  use mpi
  implicit none
  integer :: buffer(*), n, datatype, ierr
  call MPI_Bcast(buffer, n, datatype, 0, MPI_COMM_WORLD, ierr)
end subroutine
