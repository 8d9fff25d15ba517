package main

import (
	"errors"
	"runtime"
	"slices"
	"time"

	"unknot/internal/agent/host"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

// course is what an agent in the middle of a job got, turn by turn, to be given to one like it again that has the
// processor's caches for itself, as an agent on a separate host has. Among thousands of agents in one process, each
// finds them full of what the others had.
type course struct {
	agent   int // the member
	turns   []turn
	calls   uint64   // that it has followed
	inbound []parcel // since its last turn
}

// turn is one of the agent's.
type turn struct {
	allowed int           // iterations that its ranks may have begun
	passed  time.Duration // the time of the job
	inbound []parcel
}

// parcel is a message to the agent, as it came over the link.
type parcel struct {
	from int
	data []byte
}

// arrived takes in a message over a link.
func (c *course) arrived(from, to int, data []byte) {
	if c != nil && to == c.agent {
		c.inbound = append(c.inbound, parcel{from, slices.Clone(data)})
	}
}

// begins takes in that a member has a turn.
func (c *course) begins(agent, allowed int, passed time.Duration) {
	if c != nil && agent == c.agent {
		c.turns = append(c.turns, turn{allowed, passed, c.inbound})
		c.inbound = nil
	}
}

var errAnother = errors.New("an agent that got what one in the job had got did not come to where that was")

// alone measures what an operation costs an agent that goes through a course by itself: the courses in turns, as
// machines are not always equally fast, and of each the least of all turns, which was disturbed the least.
func alone(costs []cost) error {
	const turns = 15
	each := make([][]time.Duration, len(costs))
	for range turns {
		for i := range costs {
			runtime.GC()
			took, err := costs[i].course.again(costs[i].shape)
			if err != nil {
				return err
			}
			each[i] = append(each[i], took)
		}
	}
	for i := range costs {
		costs[i].alone = slices.Min(each[i])
	}
	return nil
}

func median(each []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(each))[len(each)/2]
}

// again has an agent go through the course, and says what an operation costs: the median of slices.
func (c *course) again(s shape) (time.Duration, error) {
	j, err := blank(s)
	if err != nil {
		return 0, err
	}
	format := message.NewFormat(j.table)
	layout := host.NewLayout(s.size, s.perAgent, s.fanIn)
	net := tree.Part(layout.Shape(), func(id int) bool { return id == c.agent }, sink(format), nil)
	a := j.begin(net.Member(c.agent), layout)
	decoders := make(map[int]*message.Decoder)
	var each []time.Duration
	for turns := c.turns; len(turns) > 0; {
		allowed := turns[0].allowed
		for _, r := range a.ranks {
			r.allowed = allowed
		}
		was, before := a.Calls(), processor()
		for len(turns) > 0 && turns[0].allowed == allowed {
			for _, p := range turns[0].inbound {
				d := decoders[p.from]
				if d == nil {
					d = format.Decoder()
					decoders[p.from] = d
				}
				m, err := d.Decode(p.data)
				if err != nil {
					return 0, err
				}
				net.Deliver(c.agent, m)
			}
			j.passed = turns[0].passed
			a.Turn()
			turns = turns[1:]
		}
		if allowed > once {
			each = append(each, (processor()-before)/time.Duration(a.Calls()-was))
		}
	}
	if a.Lag() > 0 || a.Calls() != c.calls || len(each) == 0 {
		return 0, errAnother
	}
	return median(each), nil
}

// sink encodes what is sent over links, and lets go of it.
func sink(format *message.Format) func(from, to int, m message.Message) {
	encoders := make(map[int]*message.Encoder)
	var buf []byte
	return func(_, to int, m message.Message) {
		e := encoders[to]
		if e == nil {
			e = format.Encoder()
			encoders[to] = e
		}
		buf = e.Append(buf[:0], m)
	}
}
