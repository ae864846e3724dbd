  count(pages);
  print(pages);
  // only the last page
