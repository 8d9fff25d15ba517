! reported: MFlowCode/MFC 1561, integer members of a derived type are broadcast with the datatype of the reals
program bounds
  implicit none
  include 'mpif.h'
  type :: domain_bounds
    real(8) :: first, last
  end type
  type :: boundary_codes
    integer :: first, last
  end type
  type(domain_bounds) :: domain
  type(boundary_codes) :: codes
  integer :: ierr, mpi_p
  call MPI_Init(ierr)
  mpi_p = MPI_DOUBLE_PRECISION
  domain = domain_bounds(0d0, 1d0)
  codes = boundary_codes(-1, -2)
  call MPI_Bcast(domain%first, 1, mpi_p, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(codes%first, 1, mpi_p, 0, MPI_COMM_WORLD, ierr) ! want: type-variable: codes%first
  print *, domain%first, codes%first
  call MPI_Finalize(ierr)
end program bounds
