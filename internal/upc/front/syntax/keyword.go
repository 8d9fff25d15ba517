package syntax

// keywords maps every spelling of a keyword of C11, GNU C and UPC 1.3 to its canonical text.
var keywords = spellings()

// plainKeywords are the keywords that have one spelling.
var plainKeywords = []string{
	// C11 6.4.1
	"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
	"for", "goto",
	"if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
	"switch", "typedef",
	"union", "unsigned", "void", "volatile", "while", "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex",
	"_Generic", "_Imaginary",
	"_Noreturn", "_Static_assert", "_Thread_local",
	// GNU C
	"asm", "typeof", "__attribute__", "__auto_type", "__extension__", "__label__", "__real__", "__imag__",
	"__int128", "__float80",
	"__ibm128", "_Float16", "_Float32", "_Float64", "_Float128", "_Float32x", "_Float64x", "_Decimal32", "_Decimal64",
	"_Decimal128",
	"__builtin_va_list", "__builtin_va_arg", "__builtin_offsetof", "__builtin_types_compatible_p",
	"__builtin_choose_expr",
	"__builtin_convertvector", "__builtin_has_attribute",
	// UPC 1.3, 6.1
	"shared", "strict", "relaxed", "upc_barrier", "upc_notify", "upc_wait", "upc_fence", "upc_forall",
	"upc_localsizeof",
	"upc_blocksizeof", "upc_elemsizeof", "THREADS", "MYTHREAD", "UPC_MAX_BLOCK_SIZE",
}

// otherKeywords are further spellings of keywords, which GNU C offers for headers.
var otherKeywords = map[string]string{
	"__alignof": "_Alignof", "__alignof__": "_Alignof",
	"__asm": "asm", "__asm__": "asm",
	"__attribute": "__attribute__",
	"__complex":   "_Complex", "__complex__": "_Complex",
	"__const": "const", "__const__": "const",
	"__float128": "_Float128",
	"__imag":     "__imag__",
	"__inline":   "inline", "__inline__": "inline",
	"__real":     "__real__",
	"__restrict": "restrict", "__restrict__": "restrict",
	"__signed": "signed", "__signed__": "signed",
	"__thread": "_Thread_local",
	"__typeof": "typeof", "__typeof__": "typeof",
	"__volatile": "volatile", "__volatile__": "volatile",
}

func spellings() map[string]string {
	all := make(map[string]string, len(plainKeywords)+len(otherKeywords))
	for _, word := range plainKeywords {
		all[word] = word
	}
	for spelling, word := range otherKeywords {
		all[spelling] = word
	}
	return all
}

// role is what a keyword can be at the start of, or within, declaration specifiers.
type role uint8

const (
	noRole role = iota
	storageRole
	functionRole
	wordRole
	qualifierRole
	specialRole // a specifier with a special form: struct, typeof, _Alignas, …
)

// roles are the keywords that may stand in declaration specifiers.
var roles = map[string]role{
	"typedef": storageRole, "extern": storageRole, "static": storageRole, "auto": storageRole, "register": storageRole,
	"_Thread_local": storageRole,
	"inline":        functionRole, "_Noreturn": functionRole,
	"void": wordRole, "char": wordRole, "short": wordRole, "int": wordRole, "long": wordRole, "float": wordRole,
	"double": wordRole,
	"signed": wordRole, "unsigned": wordRole, "_Bool": wordRole, "_Complex": wordRole, "_Imaginary": wordRole,
	"__int128":  wordRole,
	"__float80": wordRole, "__ibm128": wordRole, "_Float16": wordRole, "_Float32": wordRole, "_Float64": wordRole,
	"_Float128": wordRole, "_Float32x": wordRole, "_Float64x": wordRole, "_Decimal32": wordRole, "_Decimal64": wordRole,
	"_Decimal128": wordRole, "__builtin_va_list": wordRole, "__auto_type": wordRole,
	"const": qualifierRole, "volatile": qualifierRole, "restrict": qualifierRole, "shared": qualifierRole,
	"strict":  qualifierRole,
	"relaxed": qualifierRole,
	"_Atomic": specialRole, "struct": specialRole, "union": specialRole, "enum": specialRole, "typeof": specialRole,
	"_Alignas": specialRole, "__attribute__": specialRole, "__extension__": specialRole,
}

// upcKeywords are the keywords that C does not have.
var upcKeywords = map[string]bool{
	"shared": true, "strict": true, "relaxed": true, "upc_barrier": true, "upc_notify": true, "upc_wait": true,
	"upc_fence":  true,
	"upc_forall": true, "upc_localsizeof": true, "upc_blocksizeof": true, "upc_elemsizeof": true, "THREADS": true,
	"MYTHREAD":           true,
	"UPC_MAX_BLOCK_SIZE": true,
}

// builtinTypes are names that gcc declares as types by itself.
var builtinTypes = []string{"__int128_t", "__uint128_t"}

// digraphs are the other spellings of punctuators (C11 6.4.6p3).
var digraphs = map[string]string{"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}

// punctuators are those of C11 6.4.6, the longer ones first.
var punctuators = []string{
	"%:%:", "...", "<<=", ">>=",
	"->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-=", "&=",
	"^=", "|=", "##",
	"<:", ":>", "<%", "%>", "%:",
	"[", "]", "(", ")", "{", "}", ".", "&", "*", "+", "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":", ";",
	"=", ",", "#",
}
