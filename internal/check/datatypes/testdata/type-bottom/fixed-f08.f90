! Fortran's MPI_BOTTOM with addresses, and its MPI_IN_PLACE.
program main
    use mpi_f08
    implicit none
    integer :: kind, lengths(2), ierr, sum(4)
    type(MPI_Datatype) :: types(2), particle
    integer(MPI_ADDRESS_KIND) :: at(2)
    real(8) :: mass

    call MPI_Init(ierr)
    kind = 1
    mass = 2
    sum = 3
    call MPI_Get_address(kind, at(1), ierr)
    call MPI_Get_address(mass, at(2), ierr)
    lengths = 1
    types = (/ MPI_INTEGER, MPI_DOUBLE_PRECISION /)
    call MPI_Type_create_struct(2, lengths, at, types, particle, ierr)
    call MPI_Type_commit(particle, ierr)
    call MPI_Bcast(MPI_BOTTOM, 1, particle, 0, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Type_free(particle, ierr)
    call MPI_Finalize(ierr)
end program
