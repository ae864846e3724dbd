	GET_DELTA(inp, inp_end, delta);
	if (!delta) {
		Py_INCREF(in);
		return (PyObject*)out;
	}

	rest();

	GET_DELTA(inp, inp_end, delta);
	if (!delta) {
		return (PyObject*)in;
	}
