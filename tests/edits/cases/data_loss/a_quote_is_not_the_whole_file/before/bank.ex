defmodule Bank do
  def open(id) do
    {:ok, id}
  end

  def close(id) do
    log(id)
    {:closed, id}
  end

  defp log(id), do: IO.puts(id)
end
