Map<K, List<Foo>> all;
