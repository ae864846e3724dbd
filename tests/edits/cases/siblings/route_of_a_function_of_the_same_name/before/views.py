@app.route("/orders")
def show():
    user = current_user()
    check(user)
    limit = 50
    page = request.page
    return render(user, page)
