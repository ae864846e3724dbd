class Queue
  def next
    @jobs.shift
  end
end
