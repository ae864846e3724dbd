class Queue
  def push(job)
    @jobs << job
    @size += 1
    notify(job)
    job
  end

  def pop
    @jobs.shift
  end
end
