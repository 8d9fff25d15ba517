#include <stdio.h>
#include <string.h>
static unsigned char tape[64];
static void run(const char *p) {
	unsigned char *c = tape;
	for (int depth; *p; p++) switch (*p) {
	case '>': c++; break; case '<': c--; break; case '+': ++*c; break; case '-': --*c; break; case '.': putchar(*c); break;
	case '[': if (!*c) for (depth = 1; depth;) p++, depth += (*p == '[') - (*p == ']'); break;
	case ']': if (*c) for (depth = 1; depth;) p--, depth += (*p == ']') - (*p == '['); break;
	}
}
int main(void) { run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.\n"); printf(" %zu\n", sizeof tape); return 0; }
