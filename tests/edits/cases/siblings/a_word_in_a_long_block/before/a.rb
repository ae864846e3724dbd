    report = Report.new
    report.title = "Monthly"
    report.open
    report.line
    report.add(invoice.total)
    report.line
    report.sign(owner)
    report.close
    send(report, owner)
    archive(report)
