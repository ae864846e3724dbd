dnl * The name is used for i386, i486
dnl   (Pentium, AMD K7), Pentium II, etc., instead of
dnl   - instructions that are missing
dnl   - others

first()
second()
third()
