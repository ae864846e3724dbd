function Queue:size()
  return #self.items
end

function Queue:each(run)
  if self.closed then
    return
  end

  for _, item in ipairs(self.items) do
    run(item, self)
  end
end
