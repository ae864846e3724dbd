Map<K, Set<Foo>> all;
