package link

import (
	"net"
	"slices"
)

// Towards are the addresses of this host from which it reaches some others, named or by address, with a port for any
// that is free: where to listen if these are to reach it. Those by which no other host can do so are left out.
func Towards(hosts []string) (list []string) {
	const anyPort = "9" // nothing is sent
	for _, host := range hosts {
		if c, err := net.Dial("udp", net.JoinHostPort(host, anyPort)); err == nil {
			list = AddAddress(list, c.LocalAddr().(*net.UDPAddr).IP)
			c.Close()
		}
	}
	return list
}

// AddAddress adds an address of this host to those at which to listen, unless no other host can reach it there.
func AddAddress(list []string, ip net.IP) []string {
	if a := net.JoinHostPort(ip.String(), "0"); !ip.IsLoopback() && !ip.IsLinkLocalUnicast() &&
		!slices.Contains(list, a) {
		list = append(list, a)
	}
	return list
}
