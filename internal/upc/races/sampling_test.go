package races

import (
	"strings"
	"testing"
)

func TestSamplingsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"none":   "0 0 0 0 0 0 0 0 0 0 0 0\n",
		"all":    "1 0 0 0 0 0 0 0 0 0 0 0\n",
		"I":      "1 0 0 1 0 0.5 0.9 0 0 0 0 0\n",
		"IA":     "1 0 0 1 1 0.5 0.9 0 0 0 0 0\n",
		"F":      "1 1 0 0 0 0.5 0.9 0 0 0 0 0\n",
		"FA0":    "1 1 0 0 1 0 0.9 0 0 0 0 0\n",
		"H.25":   "1 0 1 1 0 0.25 0.9 0 0 0 0 0\n",
		"HA":     "1 0 1 1 1 0.5 0.9 0 0 0 0 0\n",
		"HA0.5":  "1 0 1 1 1 0.5 0.9 0 0 0 0 0\n",
		"HA.5":   "1 0 1 1 1 0.5 0.9 0 0 0 0 0\n",
		"HA1":    "1 0 1 1 1 1 0.9 0 0 0 0 0\n",
		"HA0.50": "1 0 1 1 1 0.5 0.9 0 0 0 0 0\n",
		"HA0k2":  "1 0 1 1 1 0 0.9 0 0 2 0 0\n",
		"Hk4":    "1 0 1 1 0 0.5 0.9 0 0 4 0 0\n",
		"P":      "1 0 1 1 0 0.01 0.9 0 1 0 0 0\n",
		"PA.1k3": "1 0 1 1 1 0.1 0.9 0 1 3 0 0\n",
		"NL":     "1 0 1 1 0 0.5 0.9 0 0 0 1 0\n",
	} {
		var o Options
		if err := o.SetSlowdown("none"); err != nil {
			t.Fatal(err)
		}
		if err := o.SetSampling(text); err != nil || o.Sampling.text() != want {
			t.Errorf("%s: %q, %v, want %q", text, o.Sampling.text(), err, want)
		}
	}
	for _, text := range []string{"", "A", "X", "I0.5", "HA2", "HA-1", "HANaN", "HA1e0", "HAA", "allA", "h", "HAk", "HAk1", "HAk5", "HAk02",
		"IAk2", "Fk2", "k2", "HA0.5k2A", "NLA", "P2"} {
		if s, err := ParseSampling(text); err == nil || !strings.Contains(err.Error(), "is no sampling") {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

func TestBoundsAreRead(t *testing.T) {
	o := DefaultOptions()
	for text, want := range map[string]uint64{"65536": 64 << 10, "64K": 64 << 10, "1M": 1 << 20, "3G": 3 << 30} {
		if err := o.SetMemory(text); err != nil || o.Memory != want {
			t.Errorf("%s: %d, %v, want %d", text, o.Memory, err, want)
		}
	}
	for _, text := range []string{"", "M", "12", "63K", "1T", "-1M", "1.5M", "99999999999G"} {
		if err := o.SetMemory(text); err == nil {
			t.Errorf("%q is %d bytes", text, o.Memory)
		}
	}
	if err := o.SetSlowdown("1.2"); err != nil || o.Sampling.Slowdown != 1.2 {
		t.Errorf("1.2: %v, %v", o.Sampling.Slowdown, err)
	}
	if err := o.SetSeed("7"); err != nil || o.Sampling.Seed != 7 {
		t.Errorf("seed 7: %d, %v", o.Sampling.Seed, err)
	}
	if err := o.SetSampling("all"); err != nil || o.Sampling.Slowdown != 1.2 || o.Sampling.Seed != 7 {
		t.Errorf("another sampling has another bound or seed: %+v, %v", o.Sampling, err)
	}
	for _, text := range []string{"", "-1", "x", "1.5", "4294967296"} {
		if err := o.SetSeed(text); err == nil {
			t.Errorf("%q is a seed of %d", text, o.Sampling.Seed)
		}
	}
	for _, text := range []string{"1", "0.5", "-2", "NaN", "Inf", "2000", "x"} {
		if err := o.SetSlowdown(text); err == nil {
			t.Errorf("%q is a bound of %v", text, o.Sampling.Slowdown)
		}
	}
}
