package symbol

import "debug/dwarf"

// Passed is what the debug information says of a value that a call passes (DWARF 5, 3.4.2; before, an extension of
// GNU).
type Passed struct {
	Register   uint64 // that it is passed in, by its number
	Expression []byte // of its value, in terms of the caller
	Bias       uint64 // of addresses of the process over those in the expression
}

// The tags and attributes of call sites, as the extension of GNU had them.
const (
	tagGNUCallSite          dwarf.Tag  = 0x4109
	tagGNUCallSiteParameter dwarf.Tag  = 0x410a
	attrGNUCallSiteValue    dwarf.Attr = 0x2111
)

// opReg is DW_OP_reg0, which stands for a register; there are 32 of them.
const opReg = 0x50

// Passed are the values that a call passes which returns to an address, as far as the debug information has them.
func (r *Resolver) Passed(m *Maps, returns uint64) (list []Passed) {
	at := m.find(returns - 1)
	if at == nil {
		return nil
	}
	mod := r.module(m.pid, at)
	if mod == nil {
		return nil
	}
	mod.guarded(debugging, func() {
		pc, ok := mod.address(returns - 1 - at.start + at.offset)
		if !ok || mod.debug == nil {
			return
		}
		pc++
		for _, p := range mod.debug.passed(pc) {
			p.Bias = returns - pc
			list = append(list, p)
		}
	})
	return list
}

// passed are those of the call that returns to an address of the module.
func (d *debugInfo) passed(returns uint64) (list []Passed) {
	u := d.unitAt(returns - 1)
	if u == nil {
		return nil
	}
	chain := u.scopes(d, returns-1)
	if len(chain) == 0 {
		return nil
	}
	w := u.walk(d, chain[0].Offset)
	here := false
	for e := w.next(); e != nil; e = w.next() {
		switch e.Tag {
		case dwarf.TagCallSite, tagGNUCallSite:
			at, ok := e.Val(dwarf.AttrCallReturnPC).(uint64)
			if !ok {
				at, _ = e.Val(dwarf.AttrLowpc).(uint64)
			}
			if len(list) > 0 && at != returns {
				return list
			}
			here = at == returns
		case dwarf.TagCallSiteParameter, tagGNUCallSiteParameter:
			value, ok := e.Val(dwarf.AttrCallValue).([]byte)
			if !ok {
				value, ok = e.Val(attrGNUCallSiteValue).([]byte)
			}
			where, _ := e.Val(dwarf.AttrLocation).([]byte)
			if here && ok && len(where) == 1 && where[0] >= opReg && where[0] < opReg+32 {
				list = append(list, Passed{Register: uint64(where[0] - opReg), Expression: value})
			}
		default:
			here = false
		}
	}
	return list
}
