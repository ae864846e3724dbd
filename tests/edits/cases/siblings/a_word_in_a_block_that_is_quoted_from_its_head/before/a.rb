class A
  def close
    if open
      invoice = Invoice.new
      title = "Monthly"
      owner = find_owner(title)
      booking.add(owner)
      total = sum(invoice)
      sign(owner, total)
      archive(owner)
    end
  end
end
