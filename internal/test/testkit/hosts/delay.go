package hosts

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// delayer is a machine on the bridge that takes frames for addresses that name a host and a time, and passes them on to
// that host after that time. Kernels can delay packets themselves (netem), but many are built without it.
type delayer struct {
	device io.ReadWriteCloser
}

// slow begins an address that the delayer takes. Then come the number of the host and the milliseconds.
const slow = 0x06

// delayed is the address that sends frames to a host with a delay.
func (p place) delayed(d time.Duration) string {
	address := binary.BigEndian.AppendUint32([]byte{slow, byte(p.Number)}, uint32(d.Milliseconds()))
	return net.HardwareAddr(address).String()
}

// start joins the delayer to the bridge, once.
func (d *delayer) start() error {
	if d.device != nil {
		return nil
	}
	const name = "delayer"
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(fd, unix.TUNSETIFF, request); err != nil {
		unix.Close(fd)
		return fmt.Errorf("make a network interface for delays: %w", err)
	}
	d.device = os.NewFile(uintptr(fd), name)
	if err := runIP("link set " + name + " master bridge up"); err != nil {
		return err
	}
	go d.run()
	return nil
}

// lateFrame is a frame that is to be passed on.
type lateFrame struct {
	due   time.Time
	bytes []byte
}

// run takes frames. Those with the same address stay in order, as one goroutine passes them on.
func (d *delayer) run() {
	queues := make(map[[6]byte]chan lateFrame)
	for {
		frame := make([]byte, 1<<16)
		n, err := d.device.Read(frame)
		if err != nil {
			return
		}
		if n < 14 || frame[0] != slow { // the bridge passes on to all what is for an address that it does not know
			continue
		}
		to := [6]byte(frame[:6])
		queue := queues[to]
		if queue == nil {
			queue = make(chan lateFrame, 1<<14)
			queues[to] = queue
			go d.passOn(queue)
		}
		delay := time.Duration(binary.BigEndian.Uint32(to[2:])) * time.Millisecond
		// The sender's address would have the bridge send to the delayer what is for the sender.
		copy(frame[:6], []byte{0x02, 0, 0, 0, 0, to[1]})
		copy(frame[6:12], []byte{0x02, 0xfe, 0, 0, 0, 0})
		select {
		case queue <- lateFrame{time.Now().Add(delay), frame[:n:n]}:
		default: // a full queue drops frames, as in any network
		}
	}
}

func (d *delayer) passOn(queue <-chan lateFrame) {
	for frame := range queue {
		time.Sleep(time.Until(frame.due))
		d.device.Write(frame.bytes)
	}
}
