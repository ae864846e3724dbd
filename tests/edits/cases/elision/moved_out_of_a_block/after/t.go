func run() {
	one()
	two()
	three()
}
