package types

import (
	"slices"
	"strings"

	"unknot/internal/upc/front/syntax"
)

// libraryHeaders have the functions of C and POSIX that programs most often call without the header that declares them.
var libraryHeaders = map[string]string{
	"stdlib.h": "malloc calloc realloc free exit abort atexit atoi atol atoll atof strtol strtoul strtod rand srand " +
		"random srandom drand48 srand48 " +
		"lrand48 getenv setenv system qsort bsearch abs labs llabs _Exit",
	"stdio.h": "printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf scanf fscanf sscanf puts putchar " +
		"fopen fclose fread fwrite " +
		"fgets fputs fflush fseek ftell perror remove",
	"string.h": "memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy strncpy strcat strncat strchr " +
		"strrchr strstr strdup strtok " +
		"strspn strcspn strpbrk stpcpy strerror",
	"math.h": "fabs sqrt copysign floor ceil trunc round rint nearbyint fmin fmax fma pow exp exp2 log log2 log10 " +
		"sin cos tan asin acos atan " +
		"atan2 sinh cosh tanh cbrt hypot fmod ldexp frexp modf erf erfc tgamma lgamma expm1 log1p",
	"unistd.h":   "sleep usleep getpid gethostname read write close _exit",
	"sys/time.h": "gettimeofday",
	"time.h":     "time clock clock_gettime nanosleep",
	"ctype.h":    "isalpha isdigit isalnum isspace isupper islower toupper tolower isprint ispunct",
}

// LibraryHeader is the header that declares a function of C or POSIX, or "".
func LibraryHeader(name string) string {
	for header, names := range libraryHeaders {
		all := strings.Fields(names)
		if slices.Contains(all, name) {
			return header
		}
		if base := strings.TrimRight(name, "fl"); header == "math.h" && len(name) == len(base)+1 &&
			slices.Contains(all, base) {
			return header
		}
	}
	return ""
}

// GCCKnows says that gcc knows a function of the library, so that it has its type without a declaration.
func GCCKnows(name string) bool { return LibraryHeader(name) != "" && signature(name) != nil }

// tellUndeclared warns of functions that are called without a declaration, if there is an error: then the C compiler
// will not come to do that.
func (c *checker) tellUndeclared() {
	if !slices.ContainsFunc(c.info.Diagnostics, func(d syntax.Diagnostic) bool { return d.Severity == syntax.Error }) {
		return
	}
	for _, d := range c.undeclared {
		c.report(d)
	}
}
