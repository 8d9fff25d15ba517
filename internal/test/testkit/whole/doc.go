// Package whole runs unknot as a user does, over the programs in examples/, and compares what it reports with what each
// example promises in its expect.json.
//
// An example is a directory with a broken program, its corrected twin and the expectation. The lines at which ranks get
// stuck are named by marker comments in the source, so that an expectation survives an edit of the program. The package
// takes in directories and gives out problems in words; its tests turn those into failures.
package whole
