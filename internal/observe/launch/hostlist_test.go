package launch

import (
	"strings"
	"testing"
)

// TestHostsAreListedAsSlurmDoes and by commas.
func TestHostsAreListedAsSlurmDoes(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"a", "a"}, {"a,b,a", "a b"}, {"a b", "a b"}, {"node-1.x", "node-1.x"}, {"n[1-3]", "n1 n2 n3"},
		{"n[08-10,3]-ib,front", "n08-ib n09-ib n10-ib n3-ib front"},
		{"r[1-2]c[1-2]", "r1c1 r1c2 r2c1 r2c2"},
	} {
		if names, err := HostList(c.list); err != nil || strings.Join(names, " ") != c.want {
			t.Errorf("%s: %v, %v, want %s", c.list, names, err, c.want)
		}
	}
	for list, want := range map[string]string{
		"": "names no host", ",": "names no host", "n[1-3": "has no ]",
		"n[3-1]": `"3-1" is not a range`, "n[a]": `"a" is not a range`,
		"n]": "is not the name of a host", "-oProxyCommand=x": "is not the name of a host", "n[1-99999999]": "is not a range",
	} {
		if names, err := HostList(list); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "hint: ") {
			t.Errorf("%s: %v, %v, want %q", list, names, err, want)
		}
	}
}
