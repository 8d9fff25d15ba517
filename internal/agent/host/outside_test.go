package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestCallsOutsideOfMPIsLifeAreRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"outside.30": "after 9 MPI_Barrier 0x1010 2\nafter 9 MPI_Barrier 0x1010 2 0x1000 0x1500 0x16",
		"outside.7": "before 12 MPI_Comm_size 0x1020 -1 0x0\nagain 4 MPI_Init 0x1030 0 0x0 0x1100 0x1200\nat 3 " +
			"<module> /home/a b.py\nat 4 ask",
		"outside.7.maps":  "1000-2000 r-xp 00000000 08:01 11 /bin/app\n",
		"outside.garbage": "before 1 x 0x1 1\n",
		"ring.7.7":        "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, c := range outside(dir) {
		module, at := c.maps.Locate(c.site)
		got = append(got, fmt.Sprint(c.pid, " ", c.rank, " ", c.when, " ", c.fn, " ", c.function, " ", module, " ", at,
			" ", c.callers, " ", c.script))
	}
	want := []string{"7 -1 before 12 MPI_Comm_size /bin/app 32 [] []",
		"7 0 again 4 MPI_Init /bin/app 48 [4352 4608] [{<module> /home/a b.py 3 false  0 }]",
		"30 2 after 9 MPI_Barrier  0 [] []",
		"30 2 after 9 MPI_Barrier  0 [] []"} // the last line is not whole
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("read\n%q\nwant\n%q", got, want)
	}
	if list := outside(filepath.Join(dir, "none")); list != nil {
		t.Errorf("a directory that is not there gives %v", list)
	}
}
