one();
two();
drei();
vier();
