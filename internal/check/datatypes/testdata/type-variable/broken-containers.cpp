/* run: -n 2
   Objects with containers are sent as bytes, and received where they do no harm. */
#include <mpi.h>
#include <string>
#include <vector>

struct Particle {
    double x, y;
    std::string name;
    int charge;
};

struct Base {
    virtual ~Base() {}
    int id = 3;
};

template <class T> void send_one(const T &item, int to)
{
    MPI_Send(&item, sizeof item, MPI_BYTE, to, 1, MPI_COMM_WORLD); /* want: calls MPI_Send with buf (`&item`) as bytes: its member `name` only points to its data */
}

int main(int argc, char **argv)
{
    int rank;
    char raw[256];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        Particle p{1, 2, "electron", -1};
        std::vector<int> list{1, 2, 3};
        std::string word = "abc";
        Base base;
        send_one(p, 1);
        MPI_Send(&list, sizeof list, MPI_BYTE, 1, 2, MPI_COMM_WORLD); /* want: `list` only points to its data, which is not sent with it */
        MPI_Send(&word, sizeof word, MPI_CHAR, 1, 3, MPI_COMM_WORLD); /* want: `word` only points to its data */
        MPI_Send(&base, sizeof base, MPI_BYTE, 1, 4, MPI_COMM_WORLD); /* want: `base` has virtual functions */
    } else
        for (int tag = 1; tag <= 4; tag++)
            MPI_Recv(raw, sizeof raw, tag == 3 ? MPI_CHAR : MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
