class Box {
    /**
     * Opens it.
     */
    open() {
        if (this.shut) {
            this.lid.lift();
        }
        this.log();
    }
}
