// Package streams has the files in which threads of UPC programs that were compiled with --check=race record what they
// do with shared memory (package layout has the records): who compares their accesses reads them, and an agent process
// copies those of its host to the session of the reader's.
package streams
