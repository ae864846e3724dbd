class A {
  one() {
    this.log('1');
    return 1;
  }

  two() {
    this.log('2');
    return 2;
  }

  three() {
    this.log('3');
    return 3;
  }
}
