func f() {
	if x {
		a()
		b()
			c()
		if y {
			more()
		}
		d()
		e()
	}
}
