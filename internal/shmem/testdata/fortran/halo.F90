! PEs: 2. A program in Fortran that calls the functions of shmem.h.
module shmem
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        subroutine shmem_init() bind(C)
        end subroutine
        subroutine shmem_finalize() bind(C)
        end subroutine
        subroutine shmem_barrier_all() bind(C)
        end subroutine
        function shmem_my_pe() result(me) bind(C)
            import :: c_int
            integer(c_int) :: me
        end function
        subroutine shmem_int_put(to, from, n, pe) bind(C)
            import :: c_int, c_size_t
            integer(c_int) :: to(*), from(*)
            integer(c_size_t), value :: n
            integer(c_int), value :: pe
        end subroutine
    end interface
end module

program main
    use shmem
    implicit none
    integer(c_int), save :: halo(16), other(16)
    integer(c_int) :: me, edge(16), total
    call shmem_init()
    me = shmem_my_pe()
    edge = me
    call shmem_barrier_all()
    if (me == 0) call shmem_int_put(halo, edge, 16_c_size_t, 1) ! /* sum a */
#ifdef FIXED
    call shmem_barrier_all()
#endif
    total = 0
    if (me == 1) total = sum(halo) ! /* sum b */
    call shmem_barrier_all()
    if (me == 1) call shmem_int_put(other, edge, 16_c_size_t, 0) ! /* put a */
#ifdef FIXED
    call shmem_barrier_all()
#endif
    if (me == 0) call shmem_int_put(other(4), edge, 1_c_size_t, 0) ! /* put b */
    call shmem_barrier_all()
    if (total < 0) print *, total
    call shmem_finalize()
end program
