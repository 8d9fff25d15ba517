// Package types checks a tree of internal/upc/front/syntax by the rules of C11 (with GNU's extensions) and UPC 1.3, and
// says the type of every expression, the object behind every name, and the layout of every type, for a data model of
// the target: LP64 of x86-64 or AArch64 Linux.
//
// Sources: ISO C11 6.2 to 6.9; UPC Language Specifications 1.3, section 6; the System V ABI of the processors.
package types
