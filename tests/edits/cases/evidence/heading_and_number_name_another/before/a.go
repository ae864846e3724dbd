func a() {
	x()
}

func b() {
	y()
}
