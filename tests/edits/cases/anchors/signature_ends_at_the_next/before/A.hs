module A where

grow :: Int -> Int
grow x =
  let y = x + 2
  in y

shrink :: Int -> Int
shrink x =
  let y = x + 1
  in y
