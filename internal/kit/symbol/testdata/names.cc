#include "site.h"
extern "C" void wait_for_reader(void);

namespace heat {
class Solver {
public:
    __attribute__((noinline)) void step(int n);
    __attribute__((noinline)) void step(double x);
};

void Solver::step(int)
{
    SITE("method"); // MARK method
}

void Solver::step(double)
{
    auto exchange = [](const char *label) __attribute__((noinline)) {
        SITE(label); // MARK lambda
    };
    exchange("lambda");
    SITE("overload"); // MARK overload
}

namespace {
__attribute__((noinline)) void hidden()
{
    SITE("hidden"); // MARK hidden
}
}

template <typename T> __attribute__((noinline)) void generic(T)
{
    SITE("template"); // MARK template
}

inline __attribute__((always_inline)) void body()
{
    SITE("inlined"); // MARK body
}
}

int main()
{
    heat::Solver s;
    s.step(1);
    s.step(1.0);
    heat::hidden();
    heat::generic(2L);
    heat::body(); // MARK main
    wait_for_reader();
}
