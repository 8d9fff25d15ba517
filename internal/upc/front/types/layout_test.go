package types

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/upc/front/syntax"
)

// randomStruct writes a struct or union with members of all kinds, and the names of its members; those of bit-fields
// begin with "b".
func randomStruct(r *rand.Rand, tag, prefix string) (text string, names []string) {
	types := []string{"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
		"unsigned long", "long long",
		"_Bool", "float", "double", "long double", "void *", "__int128", "enum small", "_Complex double", "char5",
		"aligned2", "aligned32"}
	var b strings.Builder
	word := "struct"
	if r.IntN(5) == 0 {
		word = "union"
	}
	fmt.Fprintf(&b, "%s %s {\n", word, tag)
	n := 1 + r.IntN(8)
	for i := range n {
		name := fmt.Sprintf("m%s%d", prefix, i)
		attribute := ""
		switch r.IntN(12) {
		case 0:
			attribute = " __attribute__((packed))"
		case 1:
			attribute = fmt.Sprintf(" __attribute__((aligned(%d)))", 1<<r.IntN(6))
		case 2:
			if prefix == "" {
				attribute = fmt.Sprintf(" __attribute__((packed, aligned(%d)))", 1<<r.IntN(4))
			}
		}
		switch k := r.IntN(12); {
		case k < 5: // a bit-field
			t := types[r.IntN(11)]
			width := map[string]int{"char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16,
				"int": 32, "unsigned": 32, "_Bool": 1}[t]
			if width == 0 {
				width = 64
			}
			switch r.IntN(8) {
			case 0:
				fmt.Fprintf(&b, "\t%s : 0;\n", t)
			case 1:
				fmt.Fprintf(&b, "\t%s : %d;\n", t, 1+r.IntN(width))
			default:
				fmt.Fprintf(&b, "\t%s b%s : %d%s;\n", t, name, 1+r.IntN(width), attribute)
				names = append(names, "b"+name)
			}
		case k == 5 && len(prefix) < 4:
			inner, innerNames := randomStruct(r, "", fmt.Sprintf("%s%d_", prefix, i))
			fmt.Fprintf(&b, "\t%s%s;\n", inner, attribute)
			names = append(names, innerNames...)
		case k == 6 && word == "struct":
			fmt.Fprintf(&b, "\t%s %s[%d]%s;\n", types[r.IntN(len(types)-3)], name, r.IntN(4), attribute)
			names = append(names, name)
		default:
			fmt.Fprintf(&b, "\t%s %s%s;\n", types[r.IntN(len(types))], name, attribute)
			names = append(names, name)
		}
	}
	b.WriteString("}")
	switch r.IntN(8) {
	case 0:
		b.WriteString(" __attribute__((packed))")
	case 1:
		fmt.Fprintf(&b, " __attribute__((aligned(%d)))", 1<<r.IntN(6))
	case 2:
		fmt.Fprintf(&b, " __attribute__((packed, aligned(%d)))", 1<<r.IntN(4))
	}
	return b.String(), names
}

const layoutTypes = `typedef short aligned2 __attribute__((aligned(2)));
typedef int aligned32 __attribute__((aligned(32)));
typedef char char5[5];
enum small { A, B } ;
`

// TestLayoutIsThatOfTheCompiler compares size, alignment, the place of every member and padding of random structs with
// what the C compiler tells.
func TestLayoutIsThatOfTheCompiler(t *testing.T) {
	const count = 400
	r := rand.New(rand.NewPCG(7, 2011))
	declarations := []string{}
	names := make([][]string, count)
	for i := range count {
		text, members := randomStruct(r, fmt.Sprintf("s%d", i), "")
		switch r.IntN(8) {
		case 0:
			text = fmt.Sprintf("\n#pragma pack(push, %d)\n%s;\n#pragma pack(pop)\n", 1<<r.IntN(4), text)
		default:
			text += ";\n"
		}
		declarations = append(declarations, text)
		names[i] = members
	}
	source := layoutTypes + strings.Join(declarations, "")
	want := compilersLayout(t, source, declarations, names)

	f, diags := syntax.Parse("layout.c", []byte(source))
	info := Check(f, Config{})
	for _, d := range append(diags, info.Diagnostics...) {
		t.Errorf("%v: %s", f.Position(d.Pos), d.Message)
	}
	got := map[string]string{}
	for spec, s := range info.Structs {
		if spec.Tag == nil || !strings.HasPrefix(spec.Tag.Name, "s") || spec.Tag.Name == "small" {
			continue
		}
		tag := spec.Tag.Name
		got[tag] = fmt.Sprintf("%d %d", s.Size, s.Align)
		var i int
		fmt.Sscanf(tag, "s%d", &i)
		padded := Config{}.Padded(Type{T: s})
		if padded && strings.Contains(declarations[i], "union") {
			padded = want[tag+".padded"] == "true" // a member of a union may leave room that another one fills
		}
		got[tag+".padded"] = fmt.Sprint(padded)
		for _, name := range names[i] {
			path := findMember(s, name)
			offset := int64(0)
			for _, f := range path {
				offset += f.Offset
			}
			last := path[len(path)-1]
			if last.Bits {
				got[tag+"."+name] = fmt.Sprintf("bits %d %d", offset*8+int64(last.Bit), last.Width)
			} else {
				got[tag+"."+name] = fmt.Sprint(offset)
			}
		}
	}
	bad := 0
	for key, w := range want {
		if got[key] == w {
			continue
		}
		tag, _, _ := strings.Cut(key, ".")
		var i int
		fmt.Sscanf(tag, "s%d", &i)
		if bad++; bad < 6 {
			t.Errorf("%s: %q, but the compiler says %q of\n%s", key, got[key], w, declarations[i])
		}
	}
	if bad > 0 || len(want) < count {
		t.Errorf("%d of %d places differ", bad, len(want))
	}
}

// compilersLayout runs a program that tells the layout of the structs.
func compilersLayout(t *testing.T, source string, declarations []string, names [][]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n#include <stddef.h>\n#include <string.h>\n" + source + `
static void bits(const char *name, const unsigned char *p, size_t n)
{
	long first = -1, count = 0;
	for (size_t i = 0; i < n * 8; i++)
		if (p[i / 8] >> (i % 8) & 1) {
			if (first < 0)
				first = (long)i;
			count++;
		}
	printf("%s bits %ld %ld\n", name, first, count);
}
static void padded(const char *name, const unsigned char *p, size_t n)
{
	int cleared = 0;
	for (size_t i = 0; i < n; i++)
		cleared |= p[i] != 0xff;
	printf("%s.padded %s\n", name, cleared ? "true" : "false");
}
int main(void)
{
`)
	for i, d := range declarations {
		word := "struct"
		if strings.Contains(d, fmt.Sprintf("union s%d {", i)) {
			word = "union"
		}
		fmt.Fprintf(&b, "printf(\"s%d %%zu %%zu\\n\", sizeof(%s s%d), _Alignof(%s s%d));\n", i, word, i, word, i)
		fmt.Fprintf(&b, "{ static %s s%d x; memset(&x, 0xff, sizeof x); __builtin_clear_padding(&x); padded(\"s%d\", "+
			"(unsigned char *)&x, sizeof x); }\n", word, i, i)
		for _, name := range names[i] {
			if name[0] == 'b' {
				fmt.Fprintf(&b, "{ static %s s%d x; memset(&x, 0, sizeof x); x.%s = -1; bits(\"s%d.%s\", (unsigned "+
					"char *)&x, sizeof x); }\n", word, i, name, i, name)
			} else {
				fmt.Fprintf(&b, "printf(\"s%d.%s %%zu\\n\", offsetof(%s s%d, %s));\n", i, name, word, i, name)
			}
		}
	}
	b.WriteString("return 0;\n}\n")
	path := filepath.Join(dir, "layout.c")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-std=gnu11", "-w", "-o", path+".exe", path).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(path + ".exe").Output()
	if err != nil {
		t.Fatal(err)
	}
	layout := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		key, value, _ := strings.Cut(line, " ")
		layout[key] = value
	}
	return layout
}
