package route

func first(name string) {
	if name == "" {
		warn(name)
	}
}

func second(name string) {
	if name == "" {
		return
	}
	serve(name)
}

func all() {
	first("a")
	second("b")
	done("c")
}
