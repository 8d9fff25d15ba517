// Package lower turns a checked tree of internal/upc/front/syntax into C11 with GNU's extensions for the user's gcc.
// What is plain C stays as it was written, token for token; accesses to shared objects, pointers-to-shared and UPC's
// statements become calls and macros of the run-time's header upcr.h, whose names all begin with upcr_ or UPCR_. Line
// markers in the result name the lines of the UPC source, so that gcc's messages, debuggers and sanitizers speak of
// these.
//
// A pointer-to-shared is the integer upcr_ptr of the run-time; nothing here knows its bits. A shared object is an array
// of bytes that a thread needs for its part, in a section whose offsets are those of the threads' segments.
//
// Sources: UPC Language Specifications 1.3, sections 6.4 to 6.7; the GNU C manual, "Statement Exprs".
package lower
