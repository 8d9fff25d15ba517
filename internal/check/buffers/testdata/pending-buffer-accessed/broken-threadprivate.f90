! Threadprivate variables of OpenMP while a receive is pending there.
! run: -n 2
! by: unknot -O2 -fopenmp
module state
    implicit none
    real(8) :: halo(32)
    integer :: flag
    !$omp threadprivate(halo, flag)
end module

program main
    use mpi
    use state
    implicit none
    integer :: rank, other, error, request, level
    real(8) :: total, data(32)
    call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    other = 1 - rank
    data = rank

    call MPI_Irecv(halo, 32, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, error) ! want: reads that memory
    total = sum(halo) ! note: (broken-threadprivate.f90:23)
    call MPI_Send(data, 32, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)

    call MPI_Irecv(flag, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, request, error) ! want: writes to that memory
    flag = 3 ! note: (broken-threadprivate.f90:28)
    call MPI_Send(rank, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    if (total < -1) print *, total, flag
    call MPI_Finalize(error)
end program
