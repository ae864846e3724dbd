class Queue
  def next
    @jobs.pop
  end
end
