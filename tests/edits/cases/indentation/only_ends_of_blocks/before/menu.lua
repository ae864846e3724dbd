function M.ask(list)
  each(list, function(item)
    if item.open then
      item:show()
    end
  end)
end
