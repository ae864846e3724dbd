	lock()
	var next *Node
	walk(next)
	unlock()
