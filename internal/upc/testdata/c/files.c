#include <stdio.h>
#include <string.h>
int main(void) {
	FILE *f = tmpfile();
	if (!f) return 1;
	for (int i = 0; i < 5; i++) fprintf(f, "line %d\n", i);
	rewind(f);
	char b[32];
	int n = 0, c;
	while (fgets(b, sizeof b, f)) n += strlen(b);
	fseek(f, -2, SEEK_END);
	c = getc(f);
	ungetc('z', f);
	int again = getc(f);
	printf("%d %c %c %ld %d\n", n, c, again, ftell(f), feof(f));
	fclose(f);
	return 0;
}
