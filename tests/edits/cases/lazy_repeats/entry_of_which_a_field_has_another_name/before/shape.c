struct point {
	int x;
	int y;
};

struct line {
	struct point start;
	struct point to;
};
