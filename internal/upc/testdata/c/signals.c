#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t got;
static void on(int s) { got = s; }
int main(void) {
	void (*old)(int) = signal(SIGUSR1, on);
	raise(SIGUSR1);
	printf("%d %d\n", got == SIGUSR1, old == SIG_DFL);
	struct sigaction a = { .sa_handler = SIG_IGN };
	sigaction(SIGUSR1, &a, 0);
	got = 0;
	raise(SIGUSR1);
	printf("%d\n", got);
	return 0;
}
