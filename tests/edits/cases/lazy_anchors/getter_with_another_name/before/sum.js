class Sum {
  get total() {
    return this.items.reduce(add, 0);
  }

  get rest() {
    return this.limit - this.total;
  }
}
