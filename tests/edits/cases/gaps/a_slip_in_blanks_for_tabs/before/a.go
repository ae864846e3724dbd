func f() {
	if x {

		g()
	}
}
