// Blocks of data change their ranks, in the manner of a redistribution in little memory: every block is a message whose
// tag is its new place, and whoever expects blocks takes them from any source with any tag, one buffer at a time. All
// send before they receive, so it is right only if MPI buffers: without, all ranks wait in their first send.
#include "program.h"

enum { ROUNDS = 2, LENGTH = 3 };

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    int blocks = ROUNDS * size, right = 1, all;
    int *have = calloc((size_t)(blocks * LENGTH), sizeof(int)), *got = calloc((size_t)blocks, sizeof(int));
    for (int b = 0; b < blocks; b++) // block b of rank r goes to rank r + b, to place r of its round
        for (int i = 0; i < LENGTH; i++)
            have[b * LENGTH + i] = (rank * blocks + b) * LENGTH + i;
    for (int b = 0; b < blocks; b++)
        if (b % size != 0)
            MPI_Send(have + b * LENGTH, LENGTH, MPI_INT, (rank + b) % size, b / size * size + rank, MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) { // what stays on its rank
        memmove(have + (round * size + rank) * LENGTH, have + round * size * LENGTH, LENGTH * sizeof(int));
        got[round * size + rank] = 1;
    }
    for (int n = 0; n < ROUNDS * (size - 1); n++) {
        int buffer[LENGTH];
        MPI_Status st;
        MPI_Recv(buffer, LENGTH, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
        memcpy(have + st.MPI_TAG * LENGTH, buffer, sizeof buffer);
        got[st.MPI_TAG]++;
    }
    for (int place = 0; place < blocks; place++) {
        int from = place % size, b = place / size * size + (rank - from + size) % size;
        right = right && got[place] == 1;
        for (int i = 0; i < LENGTH; i++)
            right = right && have[place * LENGTH + i] == (from * blocks + b) * LENGTH + i;
    }
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    free(have);
    free(got);
    return end(rank != 0 || all);
}
