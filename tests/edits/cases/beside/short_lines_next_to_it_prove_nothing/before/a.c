f {
  x
  }
  y
}
