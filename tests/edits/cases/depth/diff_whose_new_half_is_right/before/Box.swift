struct Box {
  func open() {
    let lid = 1
    lift(lid)
  }
}
