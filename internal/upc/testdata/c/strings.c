#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <uchar.h>
int main(void) {
	const char *s = "a" "b" "\x63" "d\0e" "\101\t";
	wchar_t w[] = L"w\u00e9" L"x";
	char16_t c16[] = u"ab";
	char32_t c32[] = U"\U0001F600";
	char u8[] = u8"é";
	printf("%zu %s %zu\n", sizeof "d\0e", s, strlen(s));
	printf("%zu %zu %zu %zu %x\n", wcslen(w), sizeof c16, sizeof c32, sizeof u8, (unsigned)c32[0]);
	printf("%d %d %d\n", L'a', (int)sizeof(L'a'), (int)sizeof(u'a'));
	printf("%s\n", "tri" "?" "?/" "graph \"quoted\" \\ back");
	return 0;
}
