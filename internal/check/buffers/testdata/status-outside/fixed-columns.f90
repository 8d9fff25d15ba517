! run: -n 2
! Statuses of the right size, with mpif.h.
program columns
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 2
  integer :: rank, given, got, i, ierr, requests(n)
  integer :: one(MPI_STATUS_SIZE), several(MPI_STATUS_SIZE, n), flat(n*MPI_STATUS_SIZE)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  given = rank
  do i = 1, 5
    call MPI_Irecv(got, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Isend(given, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(2), ierr)
    select case (i)
    case (1)
      call MPI_Waitall(n, requests, several, ierr)
    case (2)
      call MPI_Waitall(n, requests, flat, ierr)
    case (3)
      call MPI_Wait(requests(1), one, ierr)
      call MPI_Wait(requests(2), several(1, 2), ierr)
    case (4)
      call passed(n, several)
    case default
      call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE, ierr)
    end select
  end do
  call MPI_Finalize(ierr)
contains
  subroutine passed(m, statuses)
    integer :: m, statuses(*)
    call MPI_Waitall(m, requests, statuses, ierr)
  end subroutine passed
end program columns
