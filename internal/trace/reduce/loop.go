package reduce

import "fmt"

// longest is how many lines may be repeated by a loop.
const longest = 40

// looped has loops where lines repeat.
func looped(lines []string) (out []string) {
	for i := 0; i < len(lines); {
		best, times := 0, 0
		for p := 1; p <= min(longest, (len(lines)-i)/2); p++ {
			n := 1
			for i+(n+1)*p <= len(lines) && same(lines[i:i+p], lines[i+n*p:i+(n+1)*p]) {
				n++
			}
			if saved := n*p - p - 2; n > 1 && saved > 0 && saved > times*best-best-2 {
				best, times = p, n
			}
		}
		if best == 0 {
			out = append(out, lines[i])
			i++
			continue
		}
		head := fmt.Sprintf("for (int i = 0; i < %d; i++)", times)
		if best > 1 {
			head += " {"
		}
		out = append(out, head)
		for _, l := range lines[i : i+best] {
			out = append(out, "    "+l)
		}
		if best > 1 {
			out = append(out, "}")
		}
		i += best * times
	}
	return out
}

func same(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
