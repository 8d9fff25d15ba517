! A component of a derived type is a real where it is sent and an integer where it is received.
program fields
    use mpi
    implicit none
    type body
        sequence
        double precision :: at(3)
        real :: mass
        integer :: id
    end type
    type(body) :: all(2)
    integer :: rank, ierr, kind, one
    integer(kind=MPI_ADDRESS_KIND) :: places(2), extent

    all = body([0d0, 0d0, 0d0], 0.0, 0)
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    kind = MPI_REAL
    if (rank == 1) kind = MPI_INTEGER
    places = [0_MPI_ADDRESS_KIND, 24_MPI_ADDRESS_KIND]
    extent = 32
    call MPI_Type_create_struct(2, [3, 1], places, [MPI_DOUBLE_PRECISION, kind], one, ierr)
    call MPI_Type_create_resized(one, 0_MPI_ADDRESS_KIND, extent, kind, ierr)
    call MPI_Type_commit(kind, ierr)
    call MPI_Type_free(one, ierr)
    if (rank == 0) then
        call MPI_Send(all, 2, kind, 1, 0, MPI_COMM_WORLD, ierr) ! want: Rank 0 sends MPI_REAL where rank 1 expects MPI_INTEGER
        ! note: that is item 1, block 2, field `mass` on both sides
    else if (rank == 1) then
        call MPI_Recv(all, 2, kind, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Type_free(kind, ierr)
    call MPI_Finalize(ierr)
end program
! also: type-variable
