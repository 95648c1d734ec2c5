import { describe, expect, it } from 'vitest';
import { objectTypeOf } from '../../../src/webhook-server/api/object-types.js';

/** Recorded from controller-runtime's decoder, for `*v1.ConfigMap`. */
const refused: readonly (readonly [raw: string, message: string])[] = [
  ['', 'there is no content to decode'],
  ['{"apiVersion":"v1/","kind":"ConfigMap"}', `Object 'apiVersion' is missing in '{"apiVersion":"v1/","kind":"ConfigMap"}'`],
  ['{"apiVersion":"v1","kind":"Secret"}', 'unable to decode /v1, Kind=Secret into *v1.ConfigMap'],
];

describe('an object of a built-in type', () => {
  it.each(refused)('is not decoded from %j', (raw, message) => {
    expect(() => objectTypeOf('v1/ConfigMap').decode(raw)).toThrow(message);
  });
});
