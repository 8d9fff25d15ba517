package races

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Sampling says which accesses of a program are recorded (UPC-Thrille, sections 3 and 4). Steps of synchronisation,
// strict accesses and transfers by the library always are. The zero value records no other.
type Sampling struct {
	Relaxed   bool // relaxed accesses by expressions
	Functions bool // a choice for each call of a function: check-region
	// a choice for each time that a loop is entered; of all loops in it a bounded number of iterations is recorded
	Loops   bool
	Sites   bool // a choice for each access that begins something new: check-reference
	Persist bool // a place that has accessed private memory is taken to do so for a while, longer each time
	// by what the chance of a function to be recorded is multiplied each time that it is, or of a loop with each 65,536
	// iterations that are; 0: the first time only
	Region       float64
	Site         float64 // and that of a place
	Proportional bool    // Region is the chance itself, each time but the first
	// Callers is how many functions that have called each other make a loop another one: that in which it is, and those
	// around; 0 if a loop is the same wherever it is called from.
	Callers  int
	Shared   bool    // accesses by pointers-to-local are not recorded
	Slowdown float64 // what the program may take, with recording, of its time without; 0 for no bound
	Seed     uint64  // of the numbers that are drawn
}

// DefaultSampling is what is chosen if the user chooses nothing.
const DefaultSampling = "HA0.5"

// regionFactor and siteFactor are the factors of the paper, share is how many of a loop's entries P records.
const regionFactor, siteFactor, share = 0.5, 0.9, 0.01

// mostCallers is how many functions the run-time knows of those that have called each other.
const mostCallers = 4

// SetSampling chooses which accesses are recorded; the bound for the slow-down and the seed stay.
func (o *Options) SetSampling(text string) error {
	s, err := ParseSampling(text)
	if err != nil {
		return err
	}
	s.Slowdown, s.Seed = o.Sampling.Slowdown, o.Sampling.Seed
	o.Sampling, o.Asked = s, text
	return nil
}

// SetSeed chooses the numbers that are drawn: a run with another seed records other accesses.
func (o *Options) SetSeed(text string) error {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return fmt.Errorf("%q is no seed: expected a number from 0 to %d", text, uint32(math.MaxUint32))
	}
	o.Sampling.Seed = n
	return nil
}

// SetSlowdown bounds what a program may take, with recording, of its time without: 1.2, or none.
func (o *Options) SetSlowdown(text string) error {
	if text == "none" {
		o.Sampling.Slowdown = 0
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 1 && n <= mostSlowdown) {
		return fmt.Errorf("%q is no bound: expected a number above 1 and up to %d, say 1.2, or none", text,
			mostSlowdown)
	}
	o.Sampling.Slowdown = n
	return nil
}

const mostSlowdown = 1000

// SetMemory bounds what may be taken to remember accesses: a number of bytes, with K, M or G or without.
func (o *Options) SetMemory(text string) error {
	digits, shift := text, 0
	for i, unit := range []string{"K", "M", "G"} {
		if rest, ok := strings.CutSuffix(text, unit); ok {
			digits, shift = rest, 10*(i+1)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64-10*len("KMG"))
	if err != nil || n<<shift < leastMemory {
		return fmt.Errorf("%q is no amount of memory: expected a number of bytes from %dK, say 64M", text,
			leastMemory>>10)
	}
	o.Memory = n << shift
	return nil
}

// leastMemory is what can be said to be a bound.
const leastMemory = 64 << 10

// ParseSampling reads a choice: none, all, NL, or I (each place of the program), F (functions), H (loops, and places) or
// P (the same, with a chance that stays), with A if places keep what they have accessed first, the factor of functions
// and loops, and k with a number of callers: HA0.5k2. The paper writes HA.5 for HA0.5, and NL for what it records without
// accesses by pointers-to-local.
func ParseSampling(text string) (Sampling, error) {
	switch text {
	case "none":
		return Sampling{}, nil
	case "all":
		return Sampling{Relaxed: true}, nil
	case "NL":
		return Sampling{Relaxed: true, Loops: true, Sites: true, Region: regionFactor, Site: siteFactor,
			Shared: true}, nil
	}
	s := Sampling{Relaxed: true, Region: regionFactor, Site: siteFactor}
	rest := text
	take := func(word string) (is bool) {
		rest, is = strings.CutPrefix(rest, word)
		return is
	}
	switch {
	case take("I"):
		s.Sites = true
	case take("F"):
		s.Functions = true
	case take("H"):
		s.Loops, s.Sites = true, true
	case take("P"):
		s.Loops, s.Sites, s.Proportional, s.Region = true, true, true, share
	default:
		return Sampling{}, unknownSampling(text)
	}
	s.Persist = take("A")
	factor, callers, contexts := strings.Cut(rest, "k")
	if factor != "" && !s.Functions && !s.Loops || contexts && !s.Loops {
		return Sampling{}, unknownSampling(text)
	}
	if factor != "" {
		n, err := strconv.ParseFloat(factor, 64)
		if err != nil || n < 0 || n > 1 || strings.Trim(factor, "0123456789.") != "" {
			return Sampling{}, unknownSampling(text)
		}
		s.Region = n
	}
	if contexts {
		n, err := strconv.Atoi(callers)
		if err != nil || n < 2 || n > mostCallers || len(callers) > 1 {
			return Sampling{}, unknownSampling(text)
		}
		s.Callers = n
	}
	return s, nil
}

func unknownSampling(text string) error {
	return fmt.Errorf("%q is no sampling: expected none, all, NL, or I, F, H or P, then A or not, then for F, H and "+
		"P a factor from 0 to 1 or none, then for H and P k2 to k%d or nothing; hint: %s is usual",
		text, mostCallers, DefaultSampling)
}

// text is what the run-time reads (upc/rt/c/sample.c).
func (s Sampling) text() string {
	flag := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return fmt.Sprintf("%d %d %d %d %d %g %g %g %d %d %d %d\n", flag(s.Relaxed), flag(s.Functions), flag(s.Loops),
		flag(s.Sites), flag(s.Persist), s.Region, s.Site, s.Slowdown, flag(s.Proportional), s.Callers, flag(s.Shared),
		s.Seed)
}
