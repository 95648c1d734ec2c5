import { addForbidden, at, flagAt, type Place, textOf } from '../../apiserver/registry/validation/place.js';
import { writeValue } from '../../go/json/write.js';

export const maximumSize = 1_048_576;

export function bytesOf(place: Place): Buffer {
  return Buffer.from(textOf(place), 'base64');
}

export function keepData(object: Place, old: Place, names: readonly string[]): void {
  if (!flagAt(old, 'immutable')) return;
  const message = 'field is immutable when `immutable` is set';
  if (!flagAt(object, 'immutable')) addForbidden(at(object, 'immutable'), message);
  for (const name of names) {
    const [now, before] = [at(object, name), at(old, name)];
    if (writeValue(now.value ?? null, 'sorted') !== writeValue(before.value ?? null, 'sorted')) addForbidden(now, message);
  }
}
