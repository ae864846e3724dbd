class A
    invoice = Invoice.new
    title = "Monthly"
    open(invoice)
    owner = find_owner(title)
    rate = tax_rate(owner)
    booking.add(rate)
    total = sum(invoice)
    round(total)
    sign(owner, total)
    store(total)
    archive(owner)
    log("closed")
    show(owner)
end
class B
    sign(owner, total)
    store(total)
end
