class A
  def self.close(io)
    io.flush
    io.stop
  end
end
