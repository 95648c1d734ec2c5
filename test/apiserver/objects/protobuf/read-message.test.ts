import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../../src/apiserver/objects/protobuf/read-message.js';
import type { Value } from '../../../../src/go/value.js';
import type { StructSchema } from '../../../../src/kubernetes/schema.js';
import { schemaOfKind } from '../../../../src/kubernetes/type-table.js';
import { server } from '../../../support/server.js';

function schemaOf(group: string, kind: string): StructSchema {
  const schema = schemaOfKind(server, { group, version: 'v1', kind });
  if (schema === undefined) throw new Error(`no schema for ${kind}`);
  return schema;
}

/** A length-delimited field. */
function field(number: number, ...bytes: readonly (readonly number[] | string)[]): number[] {
  const contents = bytes.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part)] : part));
  return [(number << 3) | 2, contents.length, ...contents];
}

describe('map entries of protobuf messages', () => {
  it.each([
    ['bytes, which Go omits if they are nil', '', 'Secret', field(2, field(1, 'x')), ['data'], new Map([['x', '']])],
    ['strings', '', 'ConfigMap', field(2, field(1, 'x')), ['data'], new Map([['x', '']])],
    ['quantities', '', 'ResourceQuota', field(2, field(1, field(1, 'cpu'))), ['spec', 'hard'], new Map([['cpu', '0']])],
  ] as const)('have the zero value of %s', (_, group, kind, bytes, path, expected) => {
    const value = readMessage(Uint8Array.from(bytes), schemaOf(group, kind));
    expect(path.reduce((at: Value | undefined, key) => (at instanceof Map ? at.get(key) : undefined), value)).toEqual(expected);
  });

  it('have an empty key if it is missing', () => {
    expect(readMessage(Uint8Array.from(field(2, field(2, 'y'))), schemaOf('', 'ConfigMap'))).toEqual(
      new Map([['data', new Map([['', 'y']])]]),
    );
  });
});
