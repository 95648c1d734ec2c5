import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { writeValue } from '../../go/json/write.js';

export const maximumSize = 1_048_576;

export function objectDataBytes(field: FieldPath): Buffer {
  return Buffer.from(field.text(), 'base64');
}

export function keepData(object: FieldPath, old: FieldPath, names: readonly string[]): void {
  if (!old.flag('immutable')) return;
  const message = 'field is immutable when `immutable` is set';
  if (!object.flag('immutable')) object.child('immutable').forbidden(message);
  for (const name of names) {
    const [now, before] = [object.child(name), old.child(name)];
    if (writeValue(now.value ?? null, 'sorted') !== writeValue(before.value ?? null, 'sorted')) now.forbidden(message);
  }
}
