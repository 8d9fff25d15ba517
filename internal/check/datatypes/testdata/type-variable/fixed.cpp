// What is no mistake: the same type under another name, bytes, unions, casts, structs and complex numbers as their parts, whole variables as
// elements of another size, wrappers with void pointers, names that shadow others.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <vector>

struct point { double x, y, z; };
struct pair { double value; int rank; };
struct record { int id; float weight; double at[2]; };
union either { int i; double d; };
enum colour { red, green };

static double shadow;

static void spread(void *data, int n, MPI_Datatype type) { MPI_Bcast(data, n, type, 0, MPI_COMM_WORLD); }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); // run: -n 2
    int rank, lengths[] = {1, 1, 2};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::size_t n = 3;
    std::int64_t wide[2] = {1, 2};
    unsigned u = 1;
    long l = 1;
    long long ll = 1;
    bool flag = true;
    colour c = green;
    either e = {1};
    char text[16] = "text";
    point p[2] = {};
    pair best = {1, rank}, all;
    record r = {1, 2, {3, 4}};
    std::complex<double> z(1, 2);
    double scratch[8] = {}, *q = scratch;
    std::vector<point> points(3);
    MPI_Aint places[] = {offsetof(record, id), offsetof(record, weight), offsetof(record, at)}, address;
    MPI_Datatype types[] = {MPI_INT, MPI_FLOAT, MPI_DOUBLE}, row;

    MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&n, sizeof n, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(wide, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(wide, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&u, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&l, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&ll, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&ll, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&flag, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD);
    MPI_Bcast(&flag, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(&c, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&e, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&e, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(text, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(p, 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&p[1].y, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(points.data(), 3 * (int)points.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&best, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    MPI_Bcast(&z, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&z, 1, MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
    MPI_Bcast((int *)q, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(reinterpret_cast<float *>(scratch), 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Bcast(scratch, 2 * 8, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&r, sizeof r / sizeof(int), MPI_INT, 0, MPI_COMM_WORLD);
    spread(&n, 1, MPI_UNSIGNED_LONG);
    spread(scratch, 8, MPI_DOUBLE);
    MPI_Get_address(&r, &address);
    MPI_Bcast(&address, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    MPI_Type_create_struct(3, lengths, places, types, &row);
    MPI_Type_commit(&row);
    MPI_Bcast(&r, 1, row, 0, MPI_COMM_WORLD);
    MPI_Type_free(&row);
    {
        int shadow = rank;
        MPI_Bcast(&shadow, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(&shadow, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
