package detect

import (
	"slices"

	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

// A round of detection, from top to bottom. The root asks, all agents answer, and only when all have does it go on:
//
//	root asks        agents                                                      answer    then
//	Consistent       read what is there, stop transitions, flush their links     Settled   Gather
// 	Gather           say what all threads wait for, and go on                    Report    detect: graphs, cores,
//  questions
//	Describe         say everything about the threads that questions name        Places    conclude, or Locate
// 	Locate           say where the sends are that nearly fit; find others        Places    conclude: findings, or Locate
//
// Clashes of collectives, and calls whose data do not fit, are described in a separate round, by Locate alone.
// After the last round of a job the root asks Remains, and by Locate where the messages were sent that are left
// (left.go).

// step is where the root is in a round of detection.
type step uint8

const (
	resting    step = iota
	settling        // waits for Settled
	gathering       // waits for Report
	describing      // waits for Places
	locating        // waits for Places of the sends that nearly fit
	remaining       // waits for Left, after the last round
	naming          // waits for Places of the sends that are left
)

// round is the question that the root has asked everybody, and what was answered. Answers to what was asked before do
// not count.
type round struct {
	net      *tree.Member[message.Message]
	members  *members
	step     step
	number   int
	question message.Question // the last one
	before   message.Places   // what was answered before it was asked
	reports  []*message.Report
	places   message.Places // all that was described in this round
	left     message.Left
	goOn     func() // is called when all have answered
}

// renew has what is asked next be a new round.
func (r *round) renew() { r.number++ }

// clear forgets what was answered.
func (r *round) clear() { r.reports, r.places = r.reports[:0], message.Places{} }

// ask puts a question to everybody; s is what the answers are for.
func (r *round) ask(s step, q message.Question) {
	r.step, r.question = s, q
	if s == remaining {
		r.left = message.Left{}
	}
	r.before = r.places
	r.members.ask()
	r.net.Broadcast(q.In(r.number))
	r.whenComplete()
}

// whenComplete takes the next step if all have answered.
func (r *round) whenComplete() {
	if r.members.missing == 0 {
		r.goOn()
	}
}

// waits says whether answers are still to come.
func (r *round) waits() bool { return r.step != resting && r.members.missing > 0 }

// early says whether nothing has come of the round yet.
func (r *round) early() bool { return r.step == settling || r.step == gathering }

// askAgain asks the last question again.
func (r *round) askAgain() {
	r.places = r.before
	r.ask(r.step, r.question)
}

// hear takes in an answer of a member and takes the next step once all have answered. add keeps what the answer says.
func (r *round) hear(agent, number int, add func()) {
	if number != r.number {
		return
	}
	if add != nil {
		add()
	}
	if r.members.answered(agent) {
		r.whenComplete()
	}
}

// locate asks where the sends are that nearly fit what somebody waits for, and whether ranks of other agents were sent
// such a message; false if there is nothing to ask.
func (r *round) locate() bool {
	var q message.Locate
	for i := range r.places.Places {
		d := &r.places.Places[i]
		for _, m := range slices.Concat(d.Shape.Misses, d.Shape.Strays) {
			if m.Origin != nil {
				q.Calls = append(q.Calls, *m.Origin)
			}
		}
		if d.Shape.Sought != nil && len(r.members.list) > 1 {
			q.Sought = append(q.Sought, message.Sought{Key: d.Key, Sought: *d.Shape.Sought})
		}
	}
	if len(q.Calls) == 0 && len(q.Sought) == 0 {
		return false
	}
	r.ask(locating, q)
	return true
}

// found takes in the messages that agents have found, which ranks of others wait for, and asks where they were sent;
// false if there are none.
func (r *round) found() bool {
	if len(r.places.Strays) == 0 {
		return false
	}
	var q message.Locate
	for _, s := range r.places.Strays {
		i := slices.IndexFunc(r.places.Places, func(d message.Described) bool { return d.Key == s.Key })
		if i < 0 {
			continue
		}
		shape := &r.places.Places[i].Shape
		shape.Strays = append(shape.Strays, s.Miss)
		if s.Miss.Origin != nil {
			q.Calls = append(q.Calls, *s.Miss.Origin)
		}
	}
	r.places.Strays = nil
	r.ask(locating, q)
	return true
}
