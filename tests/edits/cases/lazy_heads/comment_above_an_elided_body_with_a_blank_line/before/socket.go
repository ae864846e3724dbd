package cache

import "net"

func (s Socket) Path() string {
	name := ".cache"
	return join(s.dir, name)
}

// Dial connects to the socket. The permissions on its directory are
// verified before.
func (s Socket) Dial() (net.Conn, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return net.Dial("unix", s.Path())
}
