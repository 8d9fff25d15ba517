#include <atomic>
struct spinlock {
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    void lock() { while (taken.test_and_set(std::memory_order_acquire)) { } }
    void unlock() { taken.clear(std::memory_order_release); }
};
spinlock guard;
int main()
{
    guard.lock();
    guard.unlock();
    return 0;
}
