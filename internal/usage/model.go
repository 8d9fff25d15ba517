package usage

import "unknot/internal/probe/mpiapi"

// entered takes what a call does to objects at its begin: what it frees may not be used by others from then on.
func (w *Watch) entered(c *Call) {
	if c.Func.Class != mpiapi.TypeFree {
		return
	}
	c.Rank.memory.typesChanged()
	for i := range c.Func.Params {
		p := &c.Func.Params[i]
		if v, ok := c.Int(i); ok && p.Kind == mpiapi.KHandleIn {
			c.Rank.free(kindOf(p.Name), uint64(v), Made{c.Func, c.Site})
		}
	}
}

// left takes in what a call has made.
func (w *Watch) left(c *Call) {
	for i := range c.Func.Params {
		p := &c.Func.Params[i]
		if p.Kind != mpiapi.KOutType {
			continue
		}
		kind := kindOf(p.Name)
		if v := c.Gave(i); len(v) >= 2 && !c.Rank.Null(kind, v[0]) {
			o := &Object{Kind: kind, Handle: v[0], Made: Made{c.Func, c.Site}, Size: int64(v[1])}
			modelType(c, o)
			c.Rank.make(o)
			c.Rank.memory.typesChanged()
		}
	}
}
