"use strict";

function check(data, options) {
  const parsed = parse(data, options);
  return parsed.ok;
}

module.exports.create = createIntegrity;
function createIntegrity(options) {
  const all = options?.all || [];
  return all.map(digest);
}
