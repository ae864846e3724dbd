func pay(p *Purse) error {
	if p.closed {
		warn(p)
		return errClosed
	}
	p.take(1)
	return nil
}
