	GET_DELTA(inp, inp_end, delta);
	if (!delta) {
		checked Py_INCREF(in);
		return (PyObject*)in;
	}
	rest();
	GET_DELTA(inp, inp_end, delta);
	if (!delta) {
		return (PyObject*)in;
	}
