package probe

import (
	"slices"
	"strings"
	"testing"
)

// TestNamesOfAFileAreItsOwnInAUnit has one of each kind of name, and what only looks like one.
func TestNamesOfAFileAreItsOwnInAUnit(t *testing.T) {
	const text = `#define _GNU_SOURCE // for all
#pragma GCC optimize("O2")
#include "a/own.h"
#include <stdio.h> // printf
#define MOST 4 /* most */
#define EACH(n) static void gone##n(void) { gone(n); }
typedef int size_of(int, int *);
enum { FEW = 2, MANY = FEW * 2 };
struct known {
    struct known *next;
    int first, room[FEW];
    union {
        int last;
    } u;
};
struct opaque {
    int x;
};
static struct known *first, *table[MOST], last = {.first = 1};
static __thread bool used __attribute__((tls_model("initial-exec")));
static void (*arrived)(void);
static int (*all[MANY])(int, int);
static _Alignas(8) char notes[MOST];
static const char *const names[] = {"first", "table"};
static struct {
    int first;
} place;
static __attribute__((noinline, cold)) int find(const struct known *k, struct opaque *o);
static uint64_t uk_shared;
__attribute__((used)) int uk_outer(size_of *f)
{
    const struct known *k = (const struct known *){first};
    place.first = k->first + last.first; // the first one
    return find(table[MOST], NULL) + (*arrived)() + f(FEW, &notes['"']);
}
static int find(const struct known *k, struct opaque *o)
{
    return k->first + used + o->x;
}
`
	const want = `



#define MOST@ 4 /* most */
#define EACH@(n) static void gone##n(void) { gone(n); }
typedef int size_of@(int, int *);
enum { FEW@ = 2, MANY@ = FEW@ * 2 };
struct known@ {
    struct known@ *next;
    int first, room[FEW@];
    union {
        int last;
    } u;
};
struct opaque {
    int x;
};
static struct known@ *first@, *table@[MOST@], last@ = {.first = 1};
static __thread bool used@ __attribute__((tls_model("initial-exec")));
static void (*arrived@)(void);
static int (*all@[MANY@])(int, int);
static _Alignas(8) char notes@[MOST@];
static const char *const names@[] = {"first", "table"};
static struct {
    int first;
} place@;
static __attribute__((noinline, cold)) int find@(const struct known@ *k, struct opaque *o);
static uint64_t uk_shared;
__attribute__((used)) int uk_outer(size_of@ *f)
{
    const struct known@ *k = (const struct known@ *){first@};
    place@.first = k->first + last@.first; // the first one
    return find@(table@[MOST@], NULL) + (*arrived@)() + f(FEW@, &notes@['"']);
}
static int find@(const struct known@ *k, struct opaque *o)
{
    return k->first + used@ + o->x;
}
`
	const opening = "#define _GNU_SOURCE\n#include \"a/own.h\"\n#include <stdio.h>\n" +
		"#line 1 \"a/some.c\"\n"
	got := string(merged([]string{"a/some.c"}, map[string][]byte{"a/some.c": []byte(text),
		"a/own.h": []byte("struct opaque;\n")}))
	if want := opening + strings.ReplaceAll(want, "@", "_of_a_some"); got != want {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Fatalf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
}

// TestFilesArePutTogetherByHowTheyAreOptimized: none is in two units, and what is generated stands alone.
func TestFilesArePutTogetherByHowTheyAreOptimized(t *testing.T) {
	files, err := runtimeFiles()
	if err != nil {
		t.Fatal(err)
	}
	files["process/wrappers_cold.c"] = []byte("#pragma GCC optimize(\"O0\")\nint generated;\n")
	all, err := units(files)
	if err != nil {
		t.Fatal(err)
	}
	if u := all["process/wrappers_cold.c"]; u == nil || string(u.text) != "\nint generated;\n" ||
		!slices.Equal(u.options, []string{"-O0"}) {
		t.Errorf("what is generated is not alone, or compiled as %+v", u)
	}
	for name, text := range files {
		if !strings.HasSuffix(name, ".c") || name == "process/wrappers_cold.c" || apart(name) {
			continue
		}
		in := 0
		for _, u := range all {
			if strings.Contains(string(u.text), "#line 1 \""+name+"\"\n") {
				in++
				if pragma := pragmaOf(text); strings.Join(u.options, "") != strings.Join(newUnit(pragma, nil).options, "") ||
					strings.Contains(pragma, ",") != optimized.Match(u.text) {
					t.Errorf("%s is optimized in another way", name)
				}
			}
		}
		if in != 1 {
			t.Errorf("%s is in %d units", name, in)
		}
	}
}
