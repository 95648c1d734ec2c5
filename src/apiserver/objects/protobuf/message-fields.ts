import type { FieldSchema, StructSchema } from '../../../kubernetes/schema.js';
import { readTable, sectionOf, type TableSection } from '../../../kubernetes/table-file.js';

/** One field of a protobuf message, in the order of the numbers. */
export type MessageField =
  | { readonly number: number; readonly field: FieldSchema }
  /** An embedded Go struct is a message of its own; its members are members of the JSON object around it. */
  | { readonly number: number; readonly embedded: readonly MessageField[] };

let table: TableSection | undefined;

const known = new Map<string, readonly MessageField[]>();

/** The protobuf fields of a built-in struct, by ascending number as generated code writes them. */
export function messageFields(schema: StructSchema): readonly MessageField[] {
  const found = known.get(schema.name);
  if (found !== undefined) return found;
  const fields = fieldsOf(schema, 0, numbersOf(schema.name));
  known.set(schema.name, fields);
  return fields;
}

type Numbers = Readonly<Record<string, number>>;

function numbersOf(name: string): Numbers {
  table ??= sectionOf(readTable('protobuf.json'), 'types');
  return (table.find(name) ?? {}) as Numbers;
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
