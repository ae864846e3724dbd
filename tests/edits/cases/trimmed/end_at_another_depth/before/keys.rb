class Keys
  def drop(key)
    if key
      forget(key)
    end
  end
end

MAP = {}
