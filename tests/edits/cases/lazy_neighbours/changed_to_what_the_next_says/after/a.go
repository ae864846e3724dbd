package a

func A() int {
	x := 2
	return x
}

func B() int {
	x := 2
	return x
}

func C() int {
	x := 3
	return x
}
