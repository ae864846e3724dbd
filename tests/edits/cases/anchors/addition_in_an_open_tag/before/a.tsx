x = (
  <Box
    a={1}
  >
    <p/>
  </Box>
);
