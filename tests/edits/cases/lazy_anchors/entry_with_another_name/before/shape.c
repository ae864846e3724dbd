struct point {
	int x;
	int y;
};

struct line {
	struct point from;
	struct point to;
};
