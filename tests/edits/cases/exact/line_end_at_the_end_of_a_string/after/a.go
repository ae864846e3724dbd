	defer c()
	defer b()
