// C++'s random device, whose number the processor makes.
// WANT: with other clocks and random numbers, rank 0 made a different call after the same results
#include "acts.h"
#include <random>

int main(int argc, char **argv)
{
    std::random_device device;
    begin(&argc, &argv);
    act(0, device() % 2);
    end();
    return 0;
}
