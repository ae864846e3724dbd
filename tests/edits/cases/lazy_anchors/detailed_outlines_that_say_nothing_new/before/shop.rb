class Shop
  def open
    doors.each(&:unlock)
    lamps.each(&:light)
    till.count
    sign.turn(:open)
  end

  def rest
    owner.sleep(10)
  end

  def close
    till.lock
    lamps.each(&:dim)
    sign.turn(:closed)
    doors.each(&:lock)
  end
end
