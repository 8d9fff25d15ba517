// Package sattest measures the other way to decide what package exact decides: as a formula for a solver of SAT. It has
// tests only, so that the solver stays out of the program.
package sattest
