#include <stdio.h>
#include <string.h>
int main(void) {
	char words[][8] = { "delta", "alpha", "charlie", "bravo" }, t[8];
	const char *p[4];
	int n = sizeof words / sizeof words[0];
	for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) if (strcmp(words[i], words[j]) > 0) { memcpy(t, words[i], 8); memcpy(words[i], words[j], 8); memcpy(words[j], t, 8); }
	for (int i = 0; i < n; i++) p[n - 1 - i] = words[i];
	for (const char **q = p; q < p + n; q++) printf("%s%c", *q, q == p + n - 1 ? '\n' : ' ');
	return 0;
}
