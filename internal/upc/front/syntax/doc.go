// Package syntax reads preprocessed C11 with GNU's extensions and UPC 1.3 into a tree. It takes the output of cc -E,
// whose line markers and #pragma lines it understands, and gives every node the span of its tokens, so that a
// translation can be made by editing the original text. It knows typedef names and scopes as far as C's grammar needs
// them, and no types.
//
// Sources: ISO C11 annex A; the GNU C manual, "C Extensions"; UPC Language Specifications 1.3, section 6.
package syntax
