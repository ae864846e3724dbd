@app.route("/")
def index():
    return render("index.html")


@app.route("/old")
def index():
    log.info("an old address")
    return redirect("/")


def main():
    app.run()
