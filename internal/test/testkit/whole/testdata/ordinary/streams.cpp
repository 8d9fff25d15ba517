// Reads and writes with C++'s streams, and sleeps until a moment of its clocks.
#include "plain.h"
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    const auto start = std::chrono::steady_clock::now();
    std::string word;
    std::ifstream("../input.txt") >> word;
    std::this_thread::sleep_until(std::chrono::system_clock::now() + std::chrono::milliseconds(20));
    std::mutex m;
    std::condition_variable c;
    std::unique_lock<std::mutex> lock(m);
    c.wait_until(lock, std::chrono::system_clock::now() + std::chrono::milliseconds(20));
    c.wait_for(lock, std::chrono::milliseconds(20));
    const double sum = work(static_cast<double>(word.size()));
    std::ofstream("stream." + std::to_string(rank)) << sum << '\n';
    std::clog << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() << " s\n";
    MPI_Finalize();
    return word.empty();
}
