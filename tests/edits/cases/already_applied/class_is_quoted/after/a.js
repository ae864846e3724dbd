class Cat {
  feed(n) {
    this.eat(n);
    this.log("fed");
  }
}

class Dog {
  walk(n) {
    this.run(n);
  }
}
