items.push(1);
items.push(1);
close(items);
