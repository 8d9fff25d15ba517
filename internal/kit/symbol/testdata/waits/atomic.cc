#include <atomic>
#include <thread>
#include <chrono>
std::atomic<bool> full{false};
int main()
{
    while (!full.load(std::memory_order_acquire))
        std::this_thread::sleep_for(std::chrono::microseconds(10));
    return 0;
}
