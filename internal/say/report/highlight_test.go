package report

import (
	"strings"
	"testing"
)

// TestSourceIsColoured has words, texts, numbers, comments and directives of each language, and what looks like them.
func TestSourceIsColoured(t *testing.T) {
	page := make(lexers)
	for _, c := range []struct{ file, text, want string }{
		{"a.c", `int i = 0x1fUL; /* <b> */ // if`, `<i class="k">int</i> i = <i class="n">0x1fUL</i>; ` +
			`<i class="c">/* &lt;b&gt; */</i> <i class="c">// if</i>`},
		{"a.cpp", `auto s = L"a\"b" + c_for; x3 = 1'000.5e-3;`, `<i class="k">auto</i> s = ` +
			`<i class="s">L&#34;a\&#34;b&#34;</i> + c_for; x3 = <i class="n">1&#39;000.5e-3</i>;`},
		{"a.h", "#define N 3 // three\nint a[N];", `<i class="p">#define N 3 </i><i class="c">// three</i>` + "\n" +
			`<i class="k">int</i> a[N];`},
		{"a.c", "/* one\n   int */ char c = '\\'';", `<i class="c">/* one</i>` + "\n" + `<i class="c">   int */</i> ` +
			`<i class="k">char</i> c = <i class="s">&#39;\&#39;&#39;</i>;`},
		{"a.upc", `upc_forall (i = 0; i < THREADS; i++; i)`, `<i class="k">upc_forall</i> (i = <i class="n">0</i>; ` +
			`i &lt; <i class="k">THREADS</i>; i++; i)`},
		{"a.f90", `IF (x == 1.d0 .and. s == 'it''s') CALL f(2.eq.y) ! end`, `<i class="k">IF</i> (x == ` +
			`<i class="n">1.d0</i> .and. s == <i class="s">&#39;it&#39;&#39;s&#39;</i>) <i class="k">CALL</i> f(` +
			`<i class="n">2</i>.eq.y) <i class="c">! end</i>`},
		{"a.f90", "!$omp parallel do\ncall c(call)", `<i class="p">!$omp parallel do</i>` + "\n" +
			`<i class="k">call</i> c(<i class="k">call</i>)`},
		{"a.f", "c a comment\n      end", `<i class="c">c a comment</i>` + "\n" + `      <i class="k">end</i>`},
		{"a.py", `if rank == 0: s = f"a{1}" + '#' # else`, `<i class="k">if</i> rank == <i class="n">0</i>: s = ` +
			`<i class="s">f&#34;a{1}&#34;</i> + <i class="s">&#39;#&#39;</i> <i class="c"># else</i>`},
		{"a.py", "'''if\n5''' + x", `<i class="s">&#39;&#39;&#39;if</i>` + "\n" + `<i class="s">5&#39;&#39;&#39;</i> + x`},
		{"/src/a.c", `	print("<i>");`, `	print(<i class="s">&#34;&lt;i&gt;&#34;</i>);`},
		{"/src/a.upc", `	int n = 42; /* <b> */`, `	<i class="k">int</i> n = <i class="n">42</i>; ` +
			`<i class="c">/* &lt;b&gt; */</i>`},
		{"/src/a.xyz", "\tint n = 42; /* <b> */\n\tprint(\"<i>\");", "\tint n = 42; /* &lt;b&gt; */\n" +
			"\tprint(&#34;&lt;i&gt;&#34;);"},
	} {
		var got []string
		for _, line := range page.coloured(c.file, strings.Split(c.text, "\n")) {
			got = append(got, string(line))
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s: %s is coloured as\n%s\nwant\n%s", c.file, c.text, text, c.want)
		}
	}
}
