func Load(path string) {
	data := read(path)
	check(data)
	keep(data)
}
