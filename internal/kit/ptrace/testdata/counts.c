// Counts SIGUSR1 until SIGTERM, and exits with their number.
#include <signal.h>

static volatile sig_atomic_t n, over;

static void count(int signal)
{
    (void)signal;
    n++;
}

static void end(int signal)
{
    (void)signal;
    over = 1;
}

int main(void)
{
    signal(SIGUSR1, count);
    signal(SIGTERM, end);
    while (!over)
        continue;
    return n;
}
