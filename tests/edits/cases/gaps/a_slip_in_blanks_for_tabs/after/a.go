func f() {
	if x {

		g()
		h()
	}
}
