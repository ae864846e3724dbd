	defer a()
	defer b()
