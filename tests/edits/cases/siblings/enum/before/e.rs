enum Shape {
    First,
    Second,
    Third,
}
