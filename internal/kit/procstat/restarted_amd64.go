package procstat

import (
	"encoding/binary"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// began is the number of the system call that a thread made which continues at an address and waits in restart_syscall:
// its code loads the number before the call. Only some calls are restarted so.
func began(pid int, pc uint64) (number int, ok bool) {
	memory, err := os.Open("/proc/" + strconv.Itoa(pid) + "/mem")
	if err != nil {
		return 0, false
	}
	defer memory.Close()
	code := make([]byte, 7) // mov $NUMBER, %eax; syscall
	if _, err := memory.ReadAt(code, int64(pc)-int64(len(code))); err != nil || code[0] != 0xb8 || code[5] != 0x0f ||
		code[6] != 0x05 {
		return 0, false
	}
	number = int(binary.LittleEndian.Uint32(code[1:]))
	switch number {
	case unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_FUTEX, unix.SYS_POLL:
		return number, true
	}
	return 0, false
}
