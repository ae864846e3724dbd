f {
  x {
  z
  }
  }
  y
}
