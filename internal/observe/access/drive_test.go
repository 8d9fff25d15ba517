package access

import (
	"fmt"
	"strings"
	"testing"

	"unknot/internal/observe/probe"
)

func TestCommandLinesOfCompilersAreRead(t *testing.T) {
	for line, want := range map[string]job{
		"":                                       {links: true},
		"--version":                              {links: true},
		"-v":                                     {links: true},
		"a.c":                                    {works: true, links: true},
		"a.o b.a -lm -o app":                     {works: true, links: true},
		"-c a.c":                                 {works: true},
		"a.c -c -o b.o":                          {works: true},
		"-S a.c":                                 {works: true},
		"-E -":                                   {works: true},
		"-MM a.c":                                {works: true},
		"-o a":                                   {links: true},
		"-I include -L lib -D X":                 {links: true},
		"-x c -":                                 {works: true, links: true},
		"-shared -fPIC a.c":                      {works: true, links: true, shared: true},
		"-r a.o b.o":                             {works: true},
		"--param x=1 @arguments":                 {works: true, links: true},
		"-Xlinker -rpath -Xlinker /lib a.o":      {works: true, links: true},
		"-show a.c":                              {},
		"--showme:link":                          {},
		"-fsanitize=undefined a.c":               {works: true, links: true},
		"-fsanitize=undefined,address -c a.c":    {works: true, sanitizer: "-fsanitize=undefined,address"},
		"-fsanitize=thread a.c":                  {works: true, links: true, sanitizer: "-fsanitize=thread"},
		"-m32 -c a.c":                            {works: true, narrow: "-m32"},
		"-m32 a.c -m64":                          {works: true, links: true},
		"-MD -MF a.d -MT a.o -c a.c -o a.o":      {works: true},
		"-Wl,--as-needed -Wl,-rpath,/lib -lm":    {links: true},
		"-J modules -c a.f90":                    {works: true},
		"-isystem /usr/include -include x.h a.c": {works: true, links: true},
	} {
		if got := read(strings.Fields(line)); got != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
}

// The offset of the shadow is an option of compilers, and a constant of the probe.
func TestTheShadowIsWhereTheProbeHasIt(t *testing.T) {
	if line := fmt.Sprintf("#define UK_SHADOW_OFFSET UINT64_C(%s)",
		offset()); !strings.Contains(string(probe.AccessHeader()), line) {
		t.Errorf("the header has no line %q", line)
	}
}

func TestEveryFunctionOfTheCLibraryThatIsWrappedIsDefined(t *testing.T) {
	text := string(files()["runtime.c"])
	for _, name := range wrapped {
		if !strings.Contains(text, ", "+name+", ") && !strings.Contains(text, "\nLOCK("+name+")\n") {
			t.Errorf("runtime.c has neither WRAP nor LOCK of %s", name)
		}
	}
}
