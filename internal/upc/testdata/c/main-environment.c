#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[], char **envp) {
	int n = 0;
	while (envp[n]) n++;
	printf("%d %d %d\n", argc, argv[argc] == 0, n > 0 && strchr(envp[0], '=') != 0);
	return argc - 1;
}
