func f() {
	if x {
		g()
		k()
	}
}
