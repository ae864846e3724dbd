struct Box {
  func open() {
    let lid = 1
    lift(lid)
    let hinge = 4
    turn(hinge)
  }
}
