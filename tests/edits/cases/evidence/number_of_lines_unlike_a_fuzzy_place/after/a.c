open(door);
lock(door);
show(door);
rest();
total = sum(a);
check(total, a);
keep(total);
return a;
