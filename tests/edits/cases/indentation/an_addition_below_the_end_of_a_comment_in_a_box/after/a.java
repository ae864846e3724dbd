class A {
    /**
     * Opens.
     * @return b
     */
    int b;
    int a;
}
