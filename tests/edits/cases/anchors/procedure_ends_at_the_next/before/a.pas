procedure Grow;
begin
  n := 2;
end;

procedure Shrink;
begin
  n := 1;
end;
