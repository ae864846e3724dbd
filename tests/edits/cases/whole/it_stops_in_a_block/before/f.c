int f1(int a) {
  if (a > 1) {
    return 1;
  }
  return a;
}

int f2(int a) {
  if (a > 2) {
    return 2;
  }
  return a;
}

int f3(int a) {
  if (a > 3) {
    return 3;
  }
  return a;
}

int f4(int a) {
  if (a > 4) {
    return 4;
  }
  return a;
}

int f5(int a) {
  if (a > 5) {
    return 5;
  }
  return a;
}

int f6(int a) {
  if (a > 6) {
    return 6;
  }
  return a;
}

int f7(int a) {
  if (a > 7) {
    return 7;
  }
  return a;
}

int f8(int a) {
  if (a > 8) {
    return 8;
  }
  return a;
}
