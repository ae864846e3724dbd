class Queue
  def push(job)
    @jobs << job
    @size += 2
    notify(job)
    job
  end

  def pop
    @jobs.pop
  end
end
