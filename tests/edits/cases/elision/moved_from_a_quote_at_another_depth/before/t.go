func tick() {
	for {
		if ready {
			one()
			two()
			three()
		}
	}
}
