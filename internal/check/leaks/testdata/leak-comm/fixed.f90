! All that is made is freed.
program clean
  use mpi
  implicit none
  integer :: comm, grp, row, info, handler, op, key, request, rank, other, b, ierr
  integer(kind=MPI_ADDRESS_KIND) :: extra
  external keep
  call MPI_Init(ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_rank(comm, rank, ierr)
  call MPI_Comm_group(comm, grp, ierr)
  call MPI_Group_free(grp, ierr)
  call MPI_Type_contiguous(4, MPI_INTEGER, row, ierr)
  call MPI_Type_commit(row, ierr)
  call MPI_Type_free(row, ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Info_free(info, ierr)
  call MPI_Comm_get_errhandler(comm, handler, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call MPI_Op_create(keep, .true., op, ierr)
  call MPI_Op_free(op, ierr)
  extra = 0
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, extra, ierr)
  call MPI_Comm_free_keyval(key, ierr)
  other = 1 - rank
  call MPI_Irecv(b, 1, MPI_INTEGER, other, 0, comm, request, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, other, 0, comm, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
end program clean

subroutine keep(in, inout, n, datatype)
  integer :: n, datatype, in(n), inout(n)
end subroutine keep
