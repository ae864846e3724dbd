alpha();
beta(one);
gamma(two, three);
delta(four);
