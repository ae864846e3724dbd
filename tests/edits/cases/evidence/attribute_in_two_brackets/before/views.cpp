[[route("/orders")]] public string Show() {
  user = CurrentUser();
  Check(user);
  limit = 50;
  page = request.Page;
  return Render(user, page);
}
