package report

import (
	"path/filepath"
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// The languages of the programs that unknot watches, as rules for chroma. Its package lexers has hundreds of them, and
// reads them all whenever a process starts, which takes longer than all else that unknot does before its first line.

// lexers are those of a page's languages, by the extensions of files. Each is made when it is needed first, which takes
// as long as to colour many excerpts.
type lexers map[string]chroma.Lexer

// of is the lexer of a source file; nil if its language is none of these.
func (x lexers) of(file string) chroma.Lexer {
	extension := filepath.Ext(file)
	l, made := x[extension]
	if !made {
		l = lexerFor(extension)
		x[extension] = l
	}
	return l
}

func lexerFor(extension string) chroma.Lexer {
	switch extension {
	case ".c", ".h", ".upc", ".uph", ".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".cu", ".inl":
		return lexer("C", false, rulesOfC)
	case ".f90", ".f95", ".f03", ".f08", ".F90", ".F95", ".F03", ".F08", ".inc":
		return lexer("Fortran", true, func() chroma.Rules { return rulesOfFortran("") })
	case ".f", ".for", ".ftn", ".F", ".FOR":
		return lexer("Fortran", true, func() chroma.Rules { return rulesOfFortran(`^[c*][^\n]*|`) })
	case ".py", ".pyx":
		return lexer("Python", false, rulesOfPython)
	}
	return nil
}

func lexer(name string, anyCase bool, rules func() chroma.Rules) chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: name, CaseInsensitive: anyCase, EnsureNL: true}, rules)
}

// words is a rule's pattern for any of some words.
func words(list string) string { return chroma.Words(`\b`, `\b`, strings.Fields(list)...) }

// withEnds adds the last rules of each language: names, white space, and characters one by one.
func withEnds(first ...chroma.Rule) chroma.Rules {
	return chroma.Rules{"root": append(first,
		chroma.Rule{Pattern: `[A-Za-z_]\w*`, Type: chroma.Name},
		chroma.Rule{Pattern: `\s+`, Type: chroma.TextWhitespace},
		chroma.Rule{Pattern: `.`, Type: chroma.Punctuation})}
}

// rulesOfC are those of C23, C++23 and UPC 1.3. A directive ends where a comment begins.
func rulesOfC() chroma.Rules {
	return withEnds(
		chroma.Rule{Pattern: `^[ \t]*#(?:\\\n|/(?![/*])|[^\n/])*`, Type: chroma.CommentPreproc},
		chroma.Rule{Pattern: `//[^\n]*|/\*[\s\S]*?(?:\*/|\z)`, Type: chroma.Comment},
		chroma.Rule{Pattern: `(?:u8|[uUL])?"(?:\\[\s\S]|[^"\\\n])*"?`, Type: chroma.LiteralString},
		chroma.Rule{Pattern: `(?:u8|[uUL])?'(?:\\[\s\S]|[^'\\\n])*'?`, Type: chroma.LiteralString},
		chroma.Rule{Pattern: `(?:\d|\.\d)(?:[eEpP][+-]|'(?=\w)|[\w.])*`, Type: chroma.LiteralNumber},
		chroma.Rule{Pattern: words(`alignas alignof asm auto bool break case catch char class concept const constexpr
			const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern false
			final float for friend goto if inline int long mutable namespace new noexcept nullptr operator override
			private protected public register reinterpret_cast requires restrict return short signed sizeof static
			static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename
			typeof union unsigned using virtual void volatile wchar_t while size_t ssize_t ptrdiff_t int8_t int16_t
			int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t _Atomic _Bool _Complex _Generic
			_Noreturn _Static_assert _Thread_local shared strict relaxed upc_forall upc_barrier upc_notify upc_wait
			upc_fence THREADS MYTHREAD upc_blocksizeof upc_elemsizeof upc_localsizeof`), Type: chroma.Keyword})
}

// rulesOfFortran are those of Fortran 2018, with one for the lines of comments that a source form has. Sentinels of
// OpenMP and OpenACC are directives.
func rulesOfFortran(comments string) chroma.Rules {
	return withEnds(
		chroma.Rule{Pattern: `^[ \t]*#[^\n]*|[!c*]\$(?:omp|acc)\b[^\n]*`, Type: chroma.CommentPreproc},
		chroma.Rule{Pattern: comments + `![^\n]*`, Type: chroma.Comment},
		chroma.Rule{Pattern: `'(?:''|[^'\n])*'?|"(?:""|[^"\n])*"?`, Type: chroma.LiteralString},
		chroma.Rule{Pattern: `(?:\d+(?:\.(?![a-z]+\.)\d*)?|\.\d+)(?:[ed][+-]?\d+)?(?:_\w+)?`, Type: chroma.LiteralNumber},
		chroma.Rule{Pattern: words(`abstract allocatable allocate assign associate asynchronous backspace bind block call
			case character class close codimension common complex contains contiguous critical cycle data deallocate
			default deferred dimension do double elemental else elseif elsewhere end enddo endif entry enum enumerator
			equivalence error event exit extends external final flush forall format function generic go goto if images
			implicit import impure in include inout inquire integer intent interface intrinsic kind len logical lock
			memory module namelist non_overridable none nopass nullify only open operator optional out parameter pass
			pause pointer post precision print private procedure program protected public pure read real recursive
			result return rewind save select sequence stop submodule subroutine sync target team then to type
			unlock use value volatile wait where while write`), Type: chroma.Keyword})
}

func rulesOfPython() chroma.Rules {
	return withEnds(
		chroma.Rule{Pattern: `#[^\n]*`, Type: chroma.Comment},
		chroma.Rule{Pattern: `[rRbBuUfF]{0,2}(?:"""[\s\S]*?(?:"""|\z)|'''[\s\S]*?(?:'''|\z))`, Type: chroma.LiteralString},
		chroma.Rule{Pattern: `[rRbBuUfF]{0,2}(?:"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)`,
			Type: chroma.LiteralString},
		chroma.Rule{Pattern: `(?:\d|\.\d)(?:[eE][+-]|[\w.])*`, Type: chroma.LiteralNumber},
		chroma.Rule{Pattern: words(`False None True and as assert async await break case class continue def del elif else
			except finally for from global if import in is lambda match nonlocal not or pass raise return try while
			with yield`), Type: chroma.Keyword})
}
