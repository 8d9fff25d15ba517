#include <ctype.h>
#include <stdio.h>
#include <string.h>
static char *reverse(char *s) { for (char *a = s, *b = s + strlen(s) - 1; a < b; a++, b--) { char t = *a; *a = *b; *b = t; } return s; }
static int palindrome(const char *s) { const char *e = s + strlen(s); while (s < e) { if (!isalpha((unsigned char)*s)) { s++; continue; } if (!isalpha((unsigned char)e[-1])) { e--; continue; } if (tolower(*s++) != tolower(*--e)) return 0; } return 1; }
int main(void) {
	char s[] = "stressed";
	printf("%s %d %d\n", reverse(s), palindrome("A man, a plan, a canal: Panama"), palindrome("no"));
	printf("%s %td %zu\n", strstr("haystack", "st"), strchr(s, 'd') - s, strspn("aab", "a"));
	return 0;
}
