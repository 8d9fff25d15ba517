#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
int main(void) {
	char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) return 1;
	strcpy(p + 4090, "across the page");
	printf("%s %d\n", p + 4090, p[0]);
	return munmap(p, 8192);
}
