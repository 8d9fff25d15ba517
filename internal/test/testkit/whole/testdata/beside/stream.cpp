// A stream of a file that the other rank writes.
// WANT: ; rank 0 looks at the file stream by (fopen|open|read|fopen64)( \(stream.cpp:\d+\))?, which rank 1 changes by
#include "acts.h"
#include <fstream>
#include <string>

int main(int argc, char **argv)
{
    std::string word;
    begin(&argc, &argv);
    if (rank == 1)
        std::ofstream("stream") << "one\n";
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        std::ifstream("stream") >> word;
    act(0, word == "one");
    end();
    return 0;
}
