=== a new method at the end of a class, behind what stays
--- file
export class A {
  f(): number {
    return 1;
  }
}

export class B {
  f(): number {
    return 2;
  }
}
--- sketch
export class A {
  // ... existing code ...

  g(): number {
    return 3;
  }
}

// ... existing code ...
--- result
export class A {
  f(): number {
    return 1;
  }

  g(): number {
    return 3;
  }
}

export class B {
  f(): number {
    return 2;
  }
}
=== only a method, with its comment, without its class
--- file
class Calculator {
  total = 0;

  add(n: number) {
    this.total += n;
    return this;
  }

  divide(n: number) {
    this.total /= n;
    return this;
  }
}
--- sketch
/** Divides. */
divide(n: number) {
  this.total /= n;
  return this;
}
--- refused: ambiguous

=== an entry of an object
--- file
const a = {
  x: 1,
};

const routes = {
  home: "/",
  about: "/about",
};
--- sketch
// ... existing code ...

const routes = {
  // ... existing code ...
  about: "/about",
  help: "/help",
};
--- result
const a = {
  x: 1,
};

const routes = {
  home: "/",
  about: "/about",
  help: "/help",
};
