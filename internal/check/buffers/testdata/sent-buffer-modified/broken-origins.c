/* Origins of operations on windows are changed before anything has completed the operation: each kind of operation, each way to
   complete it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, a[4] = {1, 2, 3, 4}, compared = 0, result, all[4], *memory;
    MPI_Win win;
    MPI_Request request;
    MPI_Group world, to;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);

    MPI_Win_fence(0, win);
    MPI_Put(&a[0], 1, MPI_INT, other, 0, 1, MPI_INT, win); /* want: calls MPI_Put with origin_addr (`&a[0]`) and changes the data before the operation is completed */
    a[0]++;
    MPI_Win_fence(0, win); /* note: it was completed by MPI_Win_fence at main (broken-origins.c:20) */

    MPI_Win_lock_all(0, win);
    MPI_Accumulate(a, 4, MPI_INT, other, 4, 4, MPI_INT, MPI_SUM, win); /* want: calls MPI_Accumulate with origin_addr (`a`) and changes */
    a[3]++; /* note: the first change is among the bytes 8 to 15 of the data */
    MPI_Win_flush_local(other, win); /* note: it was completed by MPI_Win_flush_local */
    MPI_Get_accumulate(a, 4, MPI_INT, all, 4, MPI_INT, other, 4, 4, MPI_INT, MPI_SUM, win); /* want: calls MPI_Get_accumulate with origin_addr (`a`) and changes */
    a[3]++;
    MPI_Win_flush_local_all(win); /* note: it was completed by MPI_Win_flush_local_all */
    MPI_Fetch_and_op(&a[1], &result, MPI_INT, other, 8, MPI_SUM, win); /* want: calls MPI_Fetch_and_op with origin_addr (`&a[1]`) and changes */
    a[1]++; /* note: complete the operation (MPI_Win_flush_local, MPI_Win_unlock, MPI_Win_fence or MPI_Win_complete) before writing to its origin */
    MPI_Win_flush(other, win); /* note: it was completed by MPI_Win_flush at */
    MPI_Compare_and_swap(&a[2], &compared, &result, MPI_INT, other, 9, win); /* want: calls MPI_Compare_and_swap with origin_addr (`&a[2]`) and changes */
    a[2]++;
    MPI_Win_flush_all(win); /* note: it was completed by MPI_Win_flush_all */
    MPI_Rput(a, 1, MPI_INT, other, 10, 1, MPI_INT, win, &request); /* want: calls MPI_Rput with origin_addr (`a`) and changes */
    a[0]++; /* note: wait for the request before writing to the origin buffer */
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Wait */
    MPI_Raccumulate(a, 1, MPI_INT, other, 11, 1, MPI_INT, MPI_SUM, win, &request); /* want: calls MPI_Raccumulate with origin_addr (`a`) and changes */
    a[0]++;
    MPI_Win_flush(other, win); /* note: it was completed by MPI_Win_flush at */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Put(a, 1, MPI_INT, other, 12, 1, MPI_INT, win); /* want: calls MPI_Put with origin_addr (`a`) and changes */
    a[0]++;
    MPI_Win_unlock_all(win); /* note: it was completed by MPI_Win_unlock_all */

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
    MPI_Put(a, 1, MPI_INT, other, 0, 1, MPI_INT, win); /* want: calls MPI_Put with origin_addr (`a`) and changes */
    a[0]++;
    MPI_Win_unlock(other, win); /* note: it was completed by MPI_Win_unlock at */

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &to);
    MPI_Win_post(to, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(a, 1, MPI_INT, other, 0, 1, MPI_INT, win); /* want: calls MPI_Put with origin_addr (`a`) and changes */
    a[0]++;
    MPI_Win_complete(win); /* note: it was completed by MPI_Win_complete */
    MPI_Win_wait(win);
    MPI_Group_free(&to);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
