import type { Json } from './scene.js';

/** Values that fit few schemas. */
export const bad: readonly Json[] = [
  ...[null, true, 5, -1, 1.5, 1e40, 'x', '', [], {}, ['a'], { a: 'b' }, '9223372036854775808', 9223372036854775000, 'true', '5', [null]],
  ...[{ a: null }, 'ünï <b>&\u2028', '\u0000', 300, 1e21, -0.5],
];
