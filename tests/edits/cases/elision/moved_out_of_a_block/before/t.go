func run() {
	if ready {
		one()
		two()
		three()
	}
}
