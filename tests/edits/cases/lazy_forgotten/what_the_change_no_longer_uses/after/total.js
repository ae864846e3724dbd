import { sum } from './sum.js';
import { tax } from './tax.js';

const places = 2;
const label = 'gross';
export function total(items) {
  const gross = sum(items) * 1.19;
  return { label, gross };
}

export function count(items) {
  return items.length;
}
