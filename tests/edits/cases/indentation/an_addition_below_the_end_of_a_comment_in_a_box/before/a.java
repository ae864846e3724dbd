class A {
    /**
     * Opens.
     * @return b
     */
    int a;
}
