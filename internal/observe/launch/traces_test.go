package launch

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unsafe"

	"unknot/internal/observe/ring"
)

// TestWhatARankLeavesIsFoundByItsRing has a rank that was gone before anybody looked at it: its job stands in its ring.
func TestWhatARankLeavesIsFoundByItsRing(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	job := 0xf0000000 | uint32(gone.Process.Pid)
	header := make([]byte, ring.HeaderSize)
	binary.NativeEndian.PutUint32(header[unsafe.Offsetof(ring.RingHeader{}.Job):], job)
	session := t.TempDir()
	name := filepath.Join(session, fmt.Sprintf("%s%d.%[2]d", ring.RingPrefix, gone.Process.Pid))
	if err := os.WriteFile(name, header, 0o600); err != nil {
		t.Fatal(err)
	}
	segment := func(job uint32) string {
		file := fmt.Sprintf("/dev/shm/vader_segment.unknot-test.%d.%x.0", os.Getuid(), job)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Remove(file) })
		return file
	}
	mine, other := segment(job), segment(job+1)
	var traces Traces
	traces.Look(session)
	traces.Remove()
	if _, err := os.Stat(mine); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", mine, err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("that of another job: %v", err)
	}
}
