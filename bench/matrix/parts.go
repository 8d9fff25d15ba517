package main

// part is some tests that are run in each row.
type part struct {
	name     string   // of its file, and for -only
	what     string   // for the table
	packages []string // whose tests they are
	run      string   // which of these, as go test -run has it
	abi      bool     // whether it is run in rows of the standard ABI
}

// parts are what is run of the tests. What MPI library they use is set from outside, so that each of them runs with the
// row's.
func parts() []part {
	return []part{
		{"probe", "the probe: what is recorded of each argument, of objects, of errors",
			[]string{"./internal/observe/probe", "./internal/observe/probe/gen"},
			"CallsOfARun|EveryArgument|ObjectsAreTold|NullPointers|LimitsAndLayouts|AStatusThat|CommunicatorsTell|FortranCalls|ThreadsHaveRings|RunsAreTheBytes|EveryFunctionOfTheLibrary", false},
		{"examples", "all examples, broken and fixed; what MPI-4.1 has added", []string{"./internal/test/testkit/whole"},
			"EveryBrokenExample|WhatMPI41Added|LayersOverTheC", true},
		{"checks", "the first broken and fixed program of each usage check", []string{"./internal/check/programs"},
			"Programs/.*/^(broken|fixed)[.]", true},
		{"replays", "forced runs: each choice of a plan", []string{"./internal/test/testkit/whole"},
			"APlan|AReplay|OutcomesThat|AForcedPoll|FortranIsTold|WhatAForcedRun", false},
		{"explore", "explorations of random programs", []string{"./internal/test/testkit/whole"},
			"ProgramsThatBranch|GeneratedPrograms", false},
		{"scripts", "unknot run, replay and explore as a user runs them", []string{"./cmd/unknot"},
			"^TestCommand$/^(deadlock|plan|explore|explored|answers|predict|known|deaths|threads|sent|words)$", false},
		{"upc", "UPC: the facts of the language, the runtime, wrong programs through upc-check",
			[]string{"./internal/upc", "./internal/upc/rt", "./internal/upc/suite"},
			"^TestConformance$|^TestRacesAreTold$|LanguageCore|Collectives|SmallLibraries|Files|^TestSuite$|Twins",
			false},
	}
}
