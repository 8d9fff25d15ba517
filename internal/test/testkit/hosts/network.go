package hosts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// network asks the site for what only it can do.
//
// What is between two hosts is in their tables of neighbours, which say the hardware address that packets to an address
// are sent to. That of the other host joins them; with one that nobody has, packets vanish without an error, as with a
// broken cable; with one that the site's delayer takes (delay.go) they arrive late. Other hosts do not notice.
type network struct {
	mu       sync.Mutex
	requests *json.Encoder
	answers  *json.Decoder
}

func (n *network) ask(request siteRequest) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.requests.Encode(request); err != nil {
		return err
	}
	var done siteDone
	if err := n.answers.Decode(&done); err != nil {
		return err
	}
	if done.Error != "" {
		return errors.New(done.Error)
	}
	return nil
}

// Cut lets no packet through between two hosts, of connections that they have, either.
func (c *Cluster) Cut(a, b string) { c.join(a, b, place.nowhere) }

// Heal joins two hosts as they were joined first.
func (c *Cluster) Heal(a, b string) { c.join(a, b, place.hardware) }

// Delay lets each packet between two hosts arrive so much later, in both directions.
func (c *Cluster) Delay(a, b string, d time.Duration) {
	if err := c.network.ask(siteRequest{Delay: true}); err != nil {
		c.fail("hosts: ", err)
	}
	c.join(a, b, func(p place) string { return p.delayed(d) })
}

func (c *Cluster) join(a, b string, address func(place) string) {
	for _, pair := range [][2]*Host{{c.Host(a), c.Host(b)}, {c.Host(b), c.Host(a)}} {
		from, to := pair[0], pair[1]
		cmd := from.Command(context.Background(), nil, "sh", "-c", "ip "+neighbour(to.place, address(to.place)))
		if text, err := cmd.CombinedOutput(); err != nil {
			c.fail(fmt.Sprintf("hosts: %s: %v: %s", from.Name(), err, text))
		}
	}
}

// neighbour is the command of ip that has packets to a host sent to a hardware address.
func neighbour(to place, hardware string) string {
	return fmt.Sprintf("neigh replace %s lladdr %s dev eth0 nud permanent", to.address(), hardware)
}

// nowhere is an address that nobody has.
func (p place) nowhere() string { return fmt.Sprintf("02:ff:00:00:00:%02x", p.Number) }
