	GET_DELTA(inp, inp_end, delta);
	if (!delta) {
		Py_INCREF(in);
		return checked (PyObject*)in;
	}
	rest();
	GET_DELTA(inp, inp_end, delta);
	if (!delta) {
		Py_INCREF(in);
		return (PyObject*)in;
	}
