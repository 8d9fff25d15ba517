! run: -n 2
! Statuses of the right size, with use mpi_f08.
program forms
  use mpi_f08
  implicit none
  integer, parameter :: n = 2
  integer :: rank, given, got, i
  type(MPI_Status) :: one, several(n)
  type(MPI_Status), allocatable :: many(:)
  type(MPI_Request) :: requests(n)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  given = rank
  allocate(many(n))
  do i = 1, 4
    call MPI_Irecv(got, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(given, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(2))
    select case (i)
    case (1)
      call MPI_Waitall(n, requests, several)
    case (2)
      call MPI_Waitall(n, requests, many)
    case (3)
      call MPI_Wait(requests(1), one)
      call MPI_Wait(requests(2), several(2))
    case default
      call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
    end select
  end do
  call MPI_Finalize()
end program forms
