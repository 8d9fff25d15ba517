// Pi by throwing darts: every worker counts its hits with a separate generator, and rank 0 adds the counts up, by wildcard
// receives. Two rounds with up to 4 ranks, one with more, as the published counts of interleavings imply.
#include "program.h"

enum { DARTS = 20000 };

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    unsigned long long state = 88172645463325252ULL + (unsigned long long)rank * 7919;
    int rounds = size <= 4 ? 2 : 1;
    long hits = 0;
    for (int round = 0; round < rounds; round++) {
        if (rank == 0) {
            for (int w = 1; w < size; w++) {
                long n;
                MPI_Recv(&n, 1, MPI_LONG, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                hits += n;
            }
            continue;
        }
        long n = 0;
        for (int i = 0; i < DARTS; i++) {
            double at[2];
            for (int k = 0; k < 2; k++) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                at[k] = (double)(state >> 11) / 9007199254740992.0;
            }
            n += at[0] * at[0] + at[1] * at[1] < 1;
        }
        MPI_Send(&n, 1, MPI_LONG, 0, round, MPI_COMM_WORLD);
    }
    double pi = 4.0 * (double)hits / ((double)rounds * (size - 1) * DARTS);
    return end(fabs(pi - 3.14159265) < 0.05);
}
