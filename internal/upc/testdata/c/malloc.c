#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
	int **m = malloc(4 * sizeof *m);
	for (int i = 0; i < 4; i++) { m[i] = calloc(i + 1, sizeof **m); for (int j = 0; j <= i; j++) m[i][j] = i && j && j < i ? m[i - 1][j - 1] + m[i - 1][j] : 1; }
	for (int j = 0; j < 4; j++) printf("%d ", m[3][j]);
	m = realloc(m, 8 * sizeof *m);
	char *s = strdup("text");
	s = realloc(s, 100);
	strcat(s, " and more");
	printf("%s\n", s);
	for (int i = 0; i < 4; i++) free(m[i]);
	free(m); free(s);
	return 0;
}
