! Arrays, sections and derived types of Fortran while a receive is pending there.
! run: -n 2
! by: unknot -O2
module state
    implicit none
    type cell
        real(8) :: value
        integer :: kind
    end type
    real(8) :: field(32, 32), halo(32)
    type(cell) :: cells(8)
    integer :: flag
    character(len=16) :: text
end module

program main
    use mpi
    use state
    implicit none
    integer :: rank, other, error, request, column
    real(8), allocatable, asynchronous :: room(:)
    real(8) :: total
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    other = 1 - rank
    allocate(room(64))
    field = rank

    call MPI_Irecv(halo, 32, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, error) ! want: reads that memory
    total = sum(halo) ! note: (broken.f90:30)
    call finish(32, MPI_DOUBLE_PRECISION)

    call MPI_Irecv(room, 64, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, error) ! want: writes to that memory
    room(5:9) = total ! note: (broken.f90:34)
    call finish(64, MPI_DOUBLE_PRECISION)

    call MPI_Irecv(field(1, 4), 32, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, error) ! want: reads that memory
    total = total + field(32, 3) + field(1, 5)
    total = total + field(7, 4) ! note: (broken.f90:39)
    call finish(32, MPI_DOUBLE_PRECISION)

    call MPI_Type_vector(32, 1, 32, MPI_DOUBLE_PRECISION, column, error)
    call MPI_Type_commit(column, error)
    call MPI_Irecv(field(2, 1), 1, column, other, 0, MPI_COMM_WORLD, request, error) ! want: writes to that memory
    field(1, :) = 0
    field(2, 30) = 1 ! note: (broken.f90:46)
    call finish(32, MPI_DOUBLE_PRECISION)
    call MPI_Type_free(column, error)

    call MPI_Irecv(flag, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, request, error) ! want: writes to that memory
    flag = 3 ! note: (broken.f90:51)
    call finish(1, MPI_INTEGER)

    call MPI_Irecv(text, 16, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, request, error) ! want: writes to that memory
    text(3:5) = 'abc' ! note: (broken.f90:55)
    call finish(16, MPI_CHARACTER)

    call MPI_Irecv(cells(3)%value, 1, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, error) ! want: reads that memory
    cells(3)%kind = 1
    cells(1) = cells(3) ! note: (broken.f90:60)
    call finish(1, MPI_DOUBLE_PRECISION)

    call MPI_Isend(field(1, 9), 32, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, request, error)
    total = total + field(3, 9)
    call MPI_Recv(halo, 32, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    if (total < -1) print *, total
    call MPI_Finalize(error)
contains
    subroutine finish(n, type)
        integer, intent(in) :: n, type
        real(8) :: data(64)
        data = 0
        call MPI_Send(data, n, type, other, 0, MPI_COMM_WORLD, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    end subroutine
end program
! also: type-variable
