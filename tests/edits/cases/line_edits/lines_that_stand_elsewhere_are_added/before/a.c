log(x);
save(x);
show();
log(x);
save(x);
done();
begin();
end();
