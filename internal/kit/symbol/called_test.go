package symbol

import "testing"

func TestFunctionsOfTheCLibraryAreCalledAsProgramsDo(t *testing.T) {
	for symbol, want := range map[string]string{
		"__isoc99_scanf@@GLIBC_2.7": "scanf", "__isoc23_fscanf": "fscanf", "fgets@GLIBC_2.2.5": "fgets",
		"__poll": "poll", "": "", "__pthread_clockjoin_ex": "pthread_join",
	} {
		if got := CalledBy(symbol); got != want {
			t.Errorf("%s: %q, want %q", symbol, got, want)
		}
	}
}
