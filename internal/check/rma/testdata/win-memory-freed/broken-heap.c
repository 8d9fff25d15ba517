/* run: -n 2 --check-memory */
/* Memory of windows is freed, moved or gone before they are. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int *a, *b, *c, *d;
    MPI_Win w[3], dynamic;

    MPI_Init(&argc, &argv);
    a = malloc(100);
    b = malloc(100);
    c = malloc(70000);
    MPI_Alloc_mem(100, MPI_INFO_NULL, &d);
    MPI_Win_create(a, 100, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w[0]); /* want: MPI_Win_create with base (`a`), and that memory is freed before MPI_Win_free */
    /* note: it was freed at main (broken-heap.c:22) */
    MPI_Win_create(b + 5, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w[1]); /* want: MPI_Win_create with base (`b + 5`), and that memory is moved by realloc before MPI_Win_free */
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    MPI_Win_attach(dynamic, d, 100); /* want: MPI_Win_attach with base (`d`), and that memory is freed before MPI_Win_detach */
    b = realloc(b, 1 << 20);
    free(a);
    MPI_Free_mem(d);
    MPI_Win_detach(dynamic, d);
    MPI_Win_free(&dynamic);
    MPI_Win_free(&w[0]);
    MPI_Win_free(&w[1]);
    free(c);
    MPI_Win_create(c + 10, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w[2]); /* want: MPI_Win_create with base (`c + 10`) in memory that has been freed */
    MPI_Win_free(&w[2]);
    free(b);
    MPI_Finalize();
    return 0;
}
