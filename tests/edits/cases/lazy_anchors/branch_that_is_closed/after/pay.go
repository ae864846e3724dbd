func pay(p *Purse) error {
	if p.closed {
		reopen(p)
		return errClosed
	}
	p.take(1)
	return nil
}
