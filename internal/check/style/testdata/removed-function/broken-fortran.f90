! Every other datatype is made by a function that no mpi.h of Open MPI declares, and may have the handle of the one before.
program turns
  implicit none
  include 'mpif.h'
  integer :: i, t, ierr, lengths(1), places(1), types(1), buffer(8)

  call MPI_Init(ierr)
  lengths = 3
  places = 0
  types = MPI_INTEGER
  do i = 1, 6
    if (mod(i, 2) == 0) then
      call MPI_Type_contiguous(3, MPI_INTEGER, t, ierr)
    else
      call MPI_Type_struct(1, lengths, places, types, t, ierr) ! want: MPI_Type_struct, which MPI-3.0 has removed; use MPI_Type_create_struct instead
    end if
    call MPI_Type_commit(t, ierr)
    call MPI_Bcast(buffer, 1, t, 0, MPI_COMM_WORLD, ierr)
    call MPI_Type_free(t, ierr)
  end do
  call MPI_Finalize(ierr)
end program
