func a() {
	x()
}

func b() {
	z()
}
