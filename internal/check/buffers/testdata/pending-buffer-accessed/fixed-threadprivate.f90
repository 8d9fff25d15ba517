! Threadprivate variables of OpenMP: the other threads use their own ones while a receive is pending in the first one's.
! run: -n 2
! by: unknot -O2 -fopenmp
module state
    implicit none
    real(8) :: halo(32)
    !$omp threadprivate(halo)
end module

program main
    use mpi
    use omp_lib
    use state
    implicit none
    integer :: rank, other, error, request, level
    real(8) :: total, data(32)
    call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    other = 1 - rank
    data = rank
    total = 0
    call MPI_Irecv(halo, 32, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request, error)
    !$omp parallel num_threads(2) reduction(+:total)
    if (omp_get_thread_num() > 0) then
        halo = 1
        total = total + sum(halo)
    end if
    !$omp end parallel
    call MPI_Send(data, 32, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    total = total + sum(halo)
    if (total < -1) print *, total
    call MPI_Finalize(error)
end program
