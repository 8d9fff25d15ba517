// Package races finds data races in UPC programs that were compiled with --check=race. Their threads write streams of
// records to files in the session directory (upc/rt/c/races.c; package layout has the records): accesses to shared
// memory, and steps of synchronisation. This package reads the streams while the program runs, follows the steps of all
// threads in an order in which they can have happened, and has package race compare the accesses. The races are data,
// which package say/explain/upc puts in words.
//
// What orders accesses is UPC's memory model (UPC 1.3, 5.1.2.3 and appendix B): barriers (6.6.1), locks (7.2.4), and
// strict accesses that read what strict accesses have written. Two accesses that none of these orders race if they
// touch the same bytes, one of them writes, and one is relaxed.
package races
