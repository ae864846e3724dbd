def deliver(parcel):
    address = parcel.destination
    check(address)
    post(parcel, address)
