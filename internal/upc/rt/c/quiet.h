/*
 * The run-time's own calls of MPI are hidden from unknot's probe, which looks at those of the program: the probe offers
 * a function for that. MPI_Init and MPI_Finalize (main.c) stay visible, as the probe begins and ends by them.
 */
#ifndef UPCR_QUIET_H
#define UPCR_QUIET_H

extern void (*upcr_hide)(int hidden) __attribute__((visibility("hidden"))); /* NULL without a probe */
#define UPCR_QUIET(call)                \
    __extension__({                     \
        if (upcr_hide)                  \
            upcr_hide(1);               \
        int upcr_quiet_result = (call); \
        if (upcr_hide)                  \
            upcr_hide(0);               \
        upcr_quiet_result;              \
    })

#define MPI_Allgather(...) UPCR_QUIET(MPI_Allgather(__VA_ARGS__))
#define MPI_Allreduce(...) UPCR_QUIET(MPI_Allreduce(__VA_ARGS__))
#define MPI_Barrier(...) UPCR_QUIET(MPI_Barrier(__VA_ARGS__))
#define MPI_Bcast(...) UPCR_QUIET(MPI_Bcast(__VA_ARGS__))
#define MPI_Comm_dup(...) UPCR_QUIET(MPI_Comm_dup(__VA_ARGS__))
#define MPI_Comm_free(...) UPCR_QUIET(MPI_Comm_free(__VA_ARGS__))
#define MPI_Comm_rank(...) UPCR_QUIET(MPI_Comm_rank(__VA_ARGS__))
#define MPI_Comm_set_errhandler(...) UPCR_QUIET(MPI_Comm_set_errhandler(__VA_ARGS__))
#define MPI_Comm_size(...) UPCR_QUIET(MPI_Comm_size(__VA_ARGS__))
#define MPI_Comm_split(...) UPCR_QUIET(MPI_Comm_split(__VA_ARGS__))
#define MPI_Comm_split_type(...) UPCR_QUIET(MPI_Comm_split_type(__VA_ARGS__))
#define MPI_Error_class(...) UPCR_QUIET(MPI_Error_class(__VA_ARGS__))
#define MPI_File_close(...) UPCR_QUIET(MPI_File_close(__VA_ARGS__))
#define MPI_File_get_size(...) UPCR_QUIET(MPI_File_get_size(__VA_ARGS__))
#define MPI_File_iread_all(...) UPCR_QUIET(MPI_File_iread_all(__VA_ARGS__))
#define MPI_File_iwrite_all(...) UPCR_QUIET(MPI_File_iwrite_all(__VA_ARGS__))
#define MPI_File_open(...) UPCR_QUIET(MPI_File_open(__VA_ARGS__))
#define MPI_File_read_all(...) UPCR_QUIET(MPI_File_read_all(__VA_ARGS__))
#define MPI_File_set_atomicity(...) UPCR_QUIET(MPI_File_set_atomicity(__VA_ARGS__))
#define MPI_File_set_info(...) UPCR_QUIET(MPI_File_set_info(__VA_ARGS__))
#define MPI_File_set_size(...) UPCR_QUIET(MPI_File_set_size(__VA_ARGS__))
#define MPI_File_set_view(...) UPCR_QUIET(MPI_File_set_view(__VA_ARGS__))
#define MPI_File_sync(...) UPCR_QUIET(MPI_File_sync(__VA_ARGS__))
#define MPI_File_write_all(...) UPCR_QUIET(MPI_File_write_all(__VA_ARGS__))
#define MPI_Gather(...) UPCR_QUIET(MPI_Gather(__VA_ARGS__))
#define MPI_Iallgather(...) UPCR_QUIET(MPI_Iallgather(__VA_ARGS__))
#define MPI_Iallreduce(...) UPCR_QUIET(MPI_Iallreduce(__VA_ARGS__))
#define MPI_Ibcast(...) UPCR_QUIET(MPI_Ibcast(__VA_ARGS__))
#define MPI_Info_create(...) UPCR_QUIET(MPI_Info_create(__VA_ARGS__))
#define MPI_Info_free(...) UPCR_QUIET(MPI_Info_free(__VA_ARGS__))
#define MPI_Info_set(...) UPCR_QUIET(MPI_Info_set(__VA_ARGS__))
#define MPI_Iprobe(...) UPCR_QUIET(MPI_Iprobe(__VA_ARGS__))
#define MPI_Irecv(...) UPCR_QUIET(MPI_Irecv(__VA_ARGS__))
#define MPI_Isend(...) UPCR_QUIET(MPI_Isend(__VA_ARGS__))
#define MPI_Put(...) UPCR_QUIET(MPI_Put(__VA_ARGS__))
#define MPI_Recv(...) UPCR_QUIET(MPI_Recv(__VA_ARGS__))
#define MPI_Rget(...) UPCR_QUIET(MPI_Rget(__VA_ARGS__))
#define MPI_Rput(...) UPCR_QUIET(MPI_Rput(__VA_ARGS__))
#define MPI_Send(...) UPCR_QUIET(MPI_Send(__VA_ARGS__))
#define MPI_Test(...) UPCR_QUIET(MPI_Test(__VA_ARGS__))
#define MPI_Type_commit(...) UPCR_QUIET(MPI_Type_commit(__VA_ARGS__))
#define MPI_Type_create_hindexed(...) UPCR_QUIET(MPI_Type_create_hindexed(__VA_ARGS__))
#define MPI_Type_free(...) UPCR_QUIET(MPI_Type_free(__VA_ARGS__))
#define MPI_Win_create(...) UPCR_QUIET(MPI_Win_create(__VA_ARGS__))
#define MPI_Win_flush(...) UPCR_QUIET(MPI_Win_flush(__VA_ARGS__))
#define MPI_Win_free(...) UPCR_QUIET(MPI_Win_free(__VA_ARGS__))
#define MPI_Win_get_attr(...) UPCR_QUIET(MPI_Win_get_attr(__VA_ARGS__))
#define MPI_Win_lock_all(...) UPCR_QUIET(MPI_Win_lock_all(__VA_ARGS__))
#define MPI_Win_sync(...) UPCR_QUIET(MPI_Win_sync(__VA_ARGS__))
#define MPI_Win_unlock_all(...) UPCR_QUIET(MPI_Win_unlock_all(__VA_ARGS__))

#endif
