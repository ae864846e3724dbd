total = sum(a);
open(door);
  ]
lock(door);
return total;
rest();
total = sum(a);
check(total, a);
  }
keep(total);
return total;
