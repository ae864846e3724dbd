package s

func (s *Server) Close() error {
	s.lock()
	return nil
}
