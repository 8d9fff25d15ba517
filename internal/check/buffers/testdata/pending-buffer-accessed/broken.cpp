// Containers, templates, inline functions and exceptions of C++ while a receive is pending.
// run: -n 2
// by: unknot -O2
#include <algorithm>
#include <array>
#include <mpi.h>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

static int rank, other;
static volatile double sink;
static MPI_Request request;

template <typename T> MPI_Datatype type();
template <> MPI_Datatype type<int>() { return MPI_INT; }
template <> MPI_Datatype type<double>() { return MPI_DOUBLE; }

template <typename T> static void finish(int n)
{
    std::vector<T> data(n);
    MPI_Send(data.data(), n, type<T>(), other, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

struct Matrix {
    std::vector<double> cells = std::vector<double>(256);
    double &operator()(int i, int k) { return cells[i * 16 + k]; /* here: operator */ }
};

template <typename T> static void scale(T *at, int n, T by)
{
    for (int i = 0; i < n; i++)
        at[i] *= by; /* here: scale */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    std::vector<double> v(64);
    std::array<int, 16> a{};
    Matrix m;

    MPI_Irecv(v.data(), 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: writes to that memory */
    v[3] = 1;                                                                /* note: (broken.cpp:48) */
    finish<double>(64);

    MPI_Irecv(v.data(), 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: reads that memory */
    sink = std::accumulate(v.begin(), v.end(), 0.0);                         /* note: it is read at */
    finish<double>(64);

    MPI_Irecv(a.data(), 16, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* want: writes to that memory */
    a.fill(7);                                                            /* note: it is written to at */
    finish<int>(16);

    MPI_Irecv(&m(2, 0), 16, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: writes to that memory */
    m(1, 15) = m(3, 0) = 1;
    m(2, 5) = 1; /* note: (broken.cpp:61) */
    finish<double>(16);

    MPI_Irecv(v.data(), 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: reads that memory */
    scale(v.data() + 8, 4, 2.0);                                             /* note: at scale */
    finish<double>(64);

    MPI_Irecv(v.data(), 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: reads that memory */
    try {
        if (v[0] >= 0) /* note: (broken.cpp:70) */
            throw std::runtime_error("left");
    } catch (const std::exception &) {
    }
    finish<double>(64);

    MPI_Irecv(v.data(), 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: writes to that memory */
    std::thread([&] { v[63] = 2; }).join();                                  /* note: (broken.cpp:77) */
    finish<double>(64);

    MPI_Irecv(v.data(), 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: reads that memory */
    std::vector<double> copy(v);                                             /* note: it is read at */
    finish<double>(64);

    MPI_Finalize();
    return 0;
}
