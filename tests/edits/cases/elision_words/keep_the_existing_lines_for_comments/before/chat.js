const reply = await client.chat({
  // Half of all options are considered.
  top_p: 1,

  // A word that makes the model stop. Examples include punctuation marks
  // and markers like "[end]".
  // It is not part of the reply.
  stop: null,

  // Partial deltas will be sent.
  stream: false,
});
