proc a {} {
    return 1
}

# Opens the dialog once.
proc b {} {
    return 2
}
