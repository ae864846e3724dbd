int q;
