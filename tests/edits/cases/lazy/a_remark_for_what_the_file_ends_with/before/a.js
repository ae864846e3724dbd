(function () {
  const list = [];

  list.add = function (item) {
    this.push(item);
  };
  return list;
}).call(this);
