@app.route("/")
def index():
    return render("index.html")


@app.route("/old")
def index():
    return redirect("/")


def main():
    app.run()
