func f() {
	if x {
		a()
		b()
			c()
		d()
		e()
	}
}
