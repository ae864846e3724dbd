class A
    invoice = Invoice.new
    title = "Monthly"
    open(invoice)
    owner = find_owner(title)
    rate = tax_rate(owner)
    bookings.each do
        total = sum(invoice)
    end
    round(total)
    sign(owner, total)
    store(total)
    archive(owner)
    log("closed")
end
