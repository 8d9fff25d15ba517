#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	int p[2], status;
	if (pipe(p)) return 1;
	pid_t pid = fork();
	if (pid == 0) { int v = 1234; (void)!write(p[1], &v, sizeof v); _exit(9); }
	int got = 0;
	(void)!read(p[0], &got, sizeof got);
	waitpid(pid, &status, 0);
	printf("%d %d %d\n", got, WIFEXITED(status), WEXITSTATUS(status));
	return 0;
}
