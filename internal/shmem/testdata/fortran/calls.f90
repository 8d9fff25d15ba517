program main
    implicit none
    call shmem_init()
    call shmem_barrier_all()
    call shmem_finalize()
end program
