class Box {
    /**
     * Opens it.
     */
    open() {
        this.lid.lift();
        this.log();
    }
}
