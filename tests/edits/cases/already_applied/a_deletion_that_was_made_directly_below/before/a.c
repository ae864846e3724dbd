  begin_it(now);
  middle();
  end_it(now);
begin_it(now);
end_it(now);
