import { perMinor } from '../../../kubernetes/kubernetes-version.js';
import type { FieldSchema, StructSchema } from '../../../kubernetes/schema.js';
import { readSection } from '../../../kubernetes/table-file.js';

/** One field of a protobuf message. */
export type MessageField =
  | { readonly number: number; readonly field: FieldSchema }
  /** An embedded Go struct is a separate message; in JSON its members belong to the surrounding object. */
  | { readonly number: number; readonly embedded: readonly MessageField[] };

const table = perMinor(() => readSection('protobuf.json', 'types'));

const knownFields = perMinor(() => new Map<string, readonly MessageField[]>());

/** Returns the protobuf fields of a built-in struct in ascending order, as written by generated code. */
export function messageFields(schema: StructSchema): readonly MessageField[] {
  const known = knownFields();
  const found = known.get(schema.name);
  if (found !== undefined) return found;
  const fields = fieldsOf(schema, 0, numbersOf(schema.name));
  known.set(schema.name, fields);
  return fields;
}

type Numbers = Readonly<Record<string, number>>;

function numbersOf(name: string): Numbers {
  return (table().find(name) ?? {}) as Numbers;
}

function fieldsOf(schema: { readonly fields: readonly FieldSchema[] }, depth: number, numbers: Numbers): readonly MessageField[] {
  const direct: MessageField[] = [];
  const embedded = new Map<string, FieldSchema[]>();
  for (const field of schema.fields) {
    const outer = field.embeddedIn?.[depth];
    if (outer !== undefined) embedded.set(outer, [...(embedded.get(outer) ?? []), field]);
    else if (numbers[field.name] !== undefined) direct.push({ number: numbers[field.name] ?? 0, field });
  }
  for (const [goName, fields] of embedded) {
    const number = numbers[goName];
    const inner = fields[0]?.embeddedTypes?.[depth];
    if (number === undefined || inner === undefined) continue;
    direct.push({ number, embedded: fieldsOf({ fields }, depth + 1, numbersOf(inner)) });
  }
  return direct.sort((a, b) => a.number - b.number);
}
