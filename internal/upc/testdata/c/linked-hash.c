#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BUCKETS 17
typedef struct entry { struct entry *next; unsigned hash; int value; char key[]; } entry;
static entry *table[BUCKETS];
static unsigned hash(const char *s) { unsigned h = 2166136261u; while (*s) h = (h ^ (unsigned char)*s++) * 16777619u; return h; }
static int *at(const char *key) {
	unsigned h = hash(key);
	entry **e = &table[h % BUCKETS];
	for (; *e; e = &(*e)->next) if ((*e)->hash == h && !strcmp((*e)->key, key)) return &(*e)->value;
	*e = malloc(sizeof **e + strlen(key) + 1);
	**e = (entry){ 0, h, 0 };
	strcpy((*e)->key, key);
	return &(*e)->value;
}
int main(void) {
	char text[] = "the cat and the dog and the bird", *save;
	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(0, " ", &save)) ++*at(w);
	printf("%d %d %d %d\n", *at("the"), *at("and"), *at("bird"), *at("fish"));
	return 0;
}
