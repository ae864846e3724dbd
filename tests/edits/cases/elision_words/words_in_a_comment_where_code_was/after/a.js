function f(a) {
  open(a);
  /*
  pass them along as they came
  */ {% items %}
}
