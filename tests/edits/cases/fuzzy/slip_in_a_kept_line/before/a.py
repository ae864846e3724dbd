def deliver(parcel):
    address = parcel.destination
    check(address)
    send(parcel, address)
