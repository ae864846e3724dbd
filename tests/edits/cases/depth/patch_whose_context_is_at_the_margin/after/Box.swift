struct Box {
  func open() {
    let lid = 2
    lift(lid)
  }
}
