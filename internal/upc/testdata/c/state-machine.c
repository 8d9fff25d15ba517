#include <stdio.h>
#include <ctype.h>
enum state { START, WORD, NUMBER, STATES };
typedef enum state step(int c, int *count);
static enum state start(int c, int *n) { if (isalpha(c)) return n[WORD]++, WORD; if (isdigit(c)) return n[NUMBER]++, NUMBER; return START; }
static enum state word(int c, int *n) { (void)n; return isalnum(c) ? WORD : START; }
static enum state number(int c, int *n) { (void)n; return isdigit(c) || c == '.' ? NUMBER : START; }
int main(void) {
	static step *const table[STATES] = { [START] = start, [NUMBER] = number, [WORD] = word };
	int n[STATES] = { 0 };
	enum state s = START;
	for (const char *p = "x1 = 3.14 * radius2 + 42;"; *p; p++) s = table[s](*p, n);
	printf("%d %d\n", n[WORD], n[NUMBER]);
	return 0;
}
