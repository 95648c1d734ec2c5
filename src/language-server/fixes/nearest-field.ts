import { nearest } from '../../client/nearest.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { objectAround } from '../completion/object-around.js';
import { typeAt } from '../types/field-type.js';

/** Returns the field of the type that an unknown field at an offset probably means; undefined if no name is similar. */
export function nearestField(text: string, offset: number, state: ClusterState): string | undefined {
  const around = objectAround(text, offset, state);
  if (around?.type === undefined || around.place.position !== 'key') return undefined;
  const type = typeAt(around.type, around.path);
  if (type?.kind !== 'struct') return undefined;
  const written = text
    .slice(around.document.start + around.place.start, around.document.start + around.place.end)
    .replace(/^["']|["']$/g, '');
  const known = [...type.fields().keys()].filter(name => around.place.frame?.keys.has(name) !== true);
  return known.find(name => name.toLowerCase() === written.toLowerCase()) ?? nearest(written, known);
}
