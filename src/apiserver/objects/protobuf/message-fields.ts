import { ownMember } from '../../../go/own-members.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { memoize, memoizeInside } from '../../../kubernetes/memoize.js';
import type { FieldSchema, StructSchema } from '../../../kubernetes/schema.js';
import { readSectionOf } from '../../../kubernetes/table-file.js';

/** One field of a protobuf message. */
export type MessageField =
  | { readonly number: number; readonly field: FieldSchema }
  /** An embedded Go struct is a separate message; in JSON its members belong to the surrounding object. */
  | { readonly number: number; readonly embedded: readonly MessageField[] };

const table = memoize(({ minor }: ApiServer) => readSectionOf(minor, 'protobuf.json', 'types'));

/** Returns the protobuf fields of a built-in struct in ascending order, as written by generated code. */
export const messageFields = memoizeInside((schema: StructSchema): readonly MessageField[] =>
  fieldsOf(schema.server, schema, 0, numbersOf(schema.server, schema.name)),
);

type Numbers = Readonly<Record<string, number>>;

function numbersOf(server: ApiServer, name: string): Numbers {
  return (table(server).find(name) ?? {}) as Numbers;
}

function fieldsOf(
  server: ApiServer,
  schema: { readonly fields: readonly FieldSchema[] },
  depth: number,
  numbers: Numbers,
): readonly MessageField[] {
  const direct: MessageField[] = [];
  const embedded = new Map<string, FieldSchema[]>();
  for (const field of schema.fields) {
    const outer = field.embeddedIn?.[depth];
    if (outer !== undefined) embedded.set(outer, [...(embedded.get(outer) ?? []), field]);
    else if (ownMember(numbers, field.name) !== undefined) direct.push({ number: ownMember(numbers, field.name) ?? 0, field });
  }
  for (const [goName, fields] of embedded) {
    const number = ownMember(numbers, goName);
    const inner = fields[0]?.embeddedTypes?.[depth];
    if (number === undefined || inner === undefined) continue;
    direct.push({ number, embedded: fieldsOf(server, { fields }, depth + 1, numbersOf(server, inner)) });
  }
  return direct.sort((a, b) => a.number - b.number);
}
