package arguments

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const infoKey finding.Code = "info-key"

func infoCheckers() []check.Checker {
	return []check.Checker{{
		Name: "info-keys", Family: check.Arguments, Watch: watchInfoKeys,
		Peers: []string{"ERROR_INFO_KEY", "ERROR_INFO_NOKEY", "ERROR_INFO_VALUE"},
		Codes: []finding.Doc{{
			Code: infoKey, Title: "a key or value of an info object is invalid", Severity: finding.Error,
			Since: finding.Version01,
			Means: "A key of an info object has 1 to MPI_MAX_INFO_KEY - 1 characters, a value at most " +
				"MPI_MAX_INFO_VAL - 1. A key that is deleted must exist, and the index of a key must be less than " +
				"the number of keys (MPI-4.0, chapter 10).",
			Why: "The key comes from a configuration and is empty, or is spelt differently elsewhere; or it is " +
				"deleted twice.",
			Fix: "Check with MPI_Info_get_string that the key exists before it is deleted. Put long values into a " +
				"file and pass its name.",
		}},
	}}
}

// watchInfoKeys looks at keys and values, and keeps the keys of info objects that the program has made empty.
func watchInfoKeys(h *check.Hooks) {
	limits := map[string]string{"key": "MPI_MAX_INFO_KEY", "value": "MPI_MAX_INFO_VAL"}
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		limit := limits[f.Params[i].Name]
		if limit == "" || f.Params[i].Kind != mpi.KStr || !strings.HasPrefix(f.Name, "MPI_Info_") {
			return nil
		}
		name := f.Params[i].Name
		return func(c *check.Call) {
			v := c.Array(i)
			if len(v) == 0 || nulled(c, i) {
				return
			}
			n := int64(v[0])
			most, known := c.Rank.Constant(limit)
			switch {
			case n == 0 && name == "key":
				c.Say(infoKey, i, func() check.Words {
					return check.Words{Sentence: finding.Wordf("Rank %d calls %s with an empty {key}.",
						c.Rank.World, f.Name)}
				})
			case known && n >= most:
				c.Say(infoKey, i, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with a {%s} of %d characters; the maximum is %d (%s - 1).",
							c.Rank.World, f.Name, name, n, most-1, limit)}
				})
			}
		}
	})
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Name {
		case "MPI_Info_set":
			return func(c *check.Call) {
				if keys := c.Rank.InfoKeys(c.Handle(0)); keys != nil {
					keys[check.KeyText(c, 1)] = true
				}
			}
		case "MPI_Info_delete":
			return func(c *check.Call) {
				keys, k := c.Rank.InfoKeys(c.Handle(0)), check.KeyText(c, 1)
				if keys != nil && !keys[k] && k != "" {
					c.Say(infoKey, 1, func() check.Words {
						return check.Words{
							Sentence: finding.Wordf("Rank %d calls %s with {key} %q, which is not in the info object.",
								c.Rank.World, f.Name, k)}
					})
				}
				delete(keys, k)
			}
		case "MPI_Info_get_nthkey":
			return func(c *check.Call) {
				keys := c.Rank.InfoKeys(c.Handle(0))
				if n, ok := c.Int(1); keys != nil && ok && n >= int64(len(keys)) {
					c.Say(infoKey, 1, func() check.Words {
						return check.Words{
							Sentence: finding.Wordf(
								"Rank %d calls %s with {n} %d, but the info object has %d keys, counted from 0.",
								c.Rank.World, f.Name, n, len(keys))}
					})
				}
			}
		}
		return nil
	})
}

// nulled says that parameter i is a null pointer, which its record shows as empty.
func nulled(c *check.Call, i int) bool {
	for _, k := range c.Nulls {
		if k == i {
			return true
		}
	}
	return false
}
