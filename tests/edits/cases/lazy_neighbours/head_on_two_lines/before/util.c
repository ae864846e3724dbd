#include <stdio.h>

static int
open_dev(struct ctx *c)
{
	int n = 1;
	lock(c);
	return n;
}

static int
close_dev(struct ctx *c)
{
	int n = 2;
	lock(c);
	return n;
}

static int
poll_dev(struct ctx *c)
{
	int n = 3;
	lock(c);
	return n;
}

static int
reset_dev(struct ctx *c)
{
	int n = 4;
	lock(c);
	return n;
}

