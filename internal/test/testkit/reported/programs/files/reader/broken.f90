! reported: ExtremeFLOW/neko PR 2786, a reader opens a file for each field and never closes it
program reader
  use mpi_f08
  implicit none
  type(MPI_File) :: out
  integer :: n
  call MPI_Init()
  call MPI_File_open(MPI_COMM_WORLD, 'fields', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, out)
  call MPI_File_close(out)
  do n = 1, 3
    call read_field()
  end do
  call MPI_Finalize()
contains
  subroutine read_field()
    type(MPI_File) :: fh
    integer :: header(4)
    call MPI_File_open(MPI_COMM_WORLD, 'fields', MPI_MODE_RDONLY, MPI_INFO_NULL, fh) ! want: leak-file: 3 files
    call MPI_File_read_all(fh, header, 0, MPI_INTEGER, MPI_STATUS_IGNORE)
  end subroutine read_field
end program reader
