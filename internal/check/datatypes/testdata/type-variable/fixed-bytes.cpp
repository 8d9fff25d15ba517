/* run: -n 2
   Structs without pointers, the part of one before its pointer, what a container points to, addresses that others are to know, a union, and a message to oneself. */
#include <mpi.h>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

struct Cell {
    double x[3];
    char name[8];
    std::array<int, 4> links;
    std::pair<int, float> best;
};

struct Node {
    int id;
    double value;
    Node *next;
};

struct Region {
    void *address;
    size_t length;
};

union Either {
    double *pointer;
    double number;
};

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Cell cell{};
    Node node{rank, 1.5, &node};
    Either either;
    either.number = rank;
    std::string word(16, 'a' + rank);
    std::vector<Cell> cells(4);
    std::vector<Region> regions(size);
    Region mine{&cell, sizeof cell};
    MPI_Bcast(&cell, sizeof cell, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&node, offsetof(Node, next), MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&either, sizeof either, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&word[0], (int)word.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(word.data(), (int)word.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(cells.data(), (int)(cells.size() * sizeof cells[0]), MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, regions.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    Node copy;
    MPI_Sendrecv(&node, sizeof node, MPI_BYTE, rank, 0, &copy, sizeof copy, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return copy.next != &node;
}
