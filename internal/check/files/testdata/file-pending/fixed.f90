! The wait comes before the close.
program waits
  use mpi
  implicit none
  integer :: rank, ierr, file, request, i
  integer :: number = 7
  integer(kind=MPI_OFFSET_KIND) :: at
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do i = 1, 3
    call MPI_File_open(MPI_COMM_WORLD, 'numbers', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                       MPI_INFO_NULL, file, ierr)
    at = rank * 4
    call MPI_File_iwrite_at(file, at, number, 1, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_File_close(file, ierr)
  end do
  call MPI_Finalize(ierr)
end program
