int ready(struct node *first, struct node *second) {
    lock(first);
    if (first->state == second->state &&
        first->count == second->count)
        return check(first);
    return 0;
}
