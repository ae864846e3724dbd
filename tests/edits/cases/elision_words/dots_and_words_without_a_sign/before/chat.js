const reply = await client.chat({
  top_p: 1,

  // A word that makes the model stop. Examples include punctuation marks
  // and markers like "[end]".
  stop: null,

  // Partial deltas will be sent.
  stream: false,
});
