package text

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRead reads anything, and writes what it could read so that it comes back the same.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"P0: Recv(*,0) Recv(*,0) Send(3,0)\nP3:",
		"ranks 3\ncomm evens id=0x7 name=\"even ranks\": 0 2 / 1\ninner w: 0-2\nP0: Isend(1,0,evens,bytes=8)=a " +
			"Wait(a!) Barrier(evens)@f.c:1...\nP1.2: Recv(0,*,wild)<-0:3\n",
		"site s function=\"f\" file=\"x\" line=2 module=\"m\" offset=0x10\ncommand \"a\" \"b\"\ncut \"it died\"\nP0: " +
			"Start{recv(0,1,gone)=a coll(root=0,sync=all,seq=4,what=0x5) served(null,0) wait(a!) any opaque final}@s",
		"P0: \"odd name\"{blocking} Bcast(0) Waitsome(1.0:x)\nP1: Irecv(*,*)=x Sendrecv(0,1,0,2) # end",
		"P0: Send(", "P0: Irecv(0,0)=a Wait(a,b)", "comm c: 9-3",
	} {
		f.Add([]byte(seed))
	}
	large := regexp.MustCompile(`[0-9]{5}`)
	f.Fuzz(func(t *testing.T, written []byte) {
		if large.Match(written) {
			t.Skip("a log of very many ranks takes its time")
		}
		l, err := Read(bytes.NewReader(written), "log")
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := Write(&again, l); err != nil {
			t.Fatal(err)
		}
		back, err := Read(bytes.NewReader(again.Bytes()), "again")
		if err != nil {
			t.Fatalf("%v\n%s", err, again.String())
		}
		if diff := cmp.Diff(normal(l), normal(back)); diff != "" {
			t.Fatalf("it comes back with (- written, + read):\n%s\nfrom\n%s", diff, again.String())
		}
	})
}
