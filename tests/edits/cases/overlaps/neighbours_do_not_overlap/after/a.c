one();
two();
drei();
two();
vier();
