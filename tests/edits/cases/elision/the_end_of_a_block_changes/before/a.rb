class A
  def f
    x
  end
end
