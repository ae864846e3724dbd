function laske(rivit) {
  let muuttuja = 0;
  for (const rivi of rivit) muuttuja += rivi;
  tulosta(muuttuja);
  sulje(rivit);
  return muuttuja;
}
