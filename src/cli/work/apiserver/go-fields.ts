import { ownMember } from '../../../go/own-members.js';
/** A field's type in Go: a scalar, a list, a struct, or JSON that is kept as it is. */
export type GoField =
  | { readonly goType: string; readonly is: 'string' | 'boolean' | 'number' }
  | { readonly goType: string; readonly items: GoField }
  | Struct
  | 'any';

/** A struct with its fields by their names in JSON. */
export interface Struct {
  readonly goType: string;
  readonly fields: Readonly<Record<string, GoField>>;
}

export const textField: GoField = { goType: 'string', is: 'string' };
export const flagField: GoField = { goType: 'bool', is: 'boolean' };
export const listField = (items: Exclude<GoField, 'any'>): GoField => ({ goType: `[]${items.goType}`, items });
export const textsField = listField(textField);

/** What was read, or Go's message for the first value of another type. */
export type ReadFields = { readonly value: unknown } | { readonly error: string };

/**
 * Reads JSON into a struct: without unknown fields and without null, except for a text, which is empty then. Source: encoding/json
 * decodeState.saveError.
 */
export function readGoFields(document: object, struct: Struct): ReadFields {
  try {
    return { value: read(document, struct, { struct: '', path: [] }) };
  } catch (error) {
    if (error instanceof Mismatch) return { error: error.message };
    throw error;
  }
}

/** Returns the paths of fields that the struct does not have, with indexes. */
export function unknownFields(value: unknown, field: GoField, path = ''): string[] {
  if (field === 'any' || 'is' in field || typeof value !== 'object' || value === null) return [];
  if ('items' in field) return Array.isArray(value) ? value.flatMap((item, i) => unknownFields(item, field.items, `${path}[${i}]`)) : [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = ownMember(field.fields, name);
    const place = path === '' ? name : `${path}.${name}`;
    return known === undefined ? [place] : unknownFields(member, known, place);
  });
}

class Mismatch extends Error {}

interface FieldPlace {
  readonly struct: string;
  readonly path: readonly string[];
}

function read(value: unknown, field: GoField, { struct, path }: FieldPlace): unknown {
  if (field === 'any') return value;
  const fail = (): never => {
    throw new Mismatch(
      `json: cannot unmarshal ${kindOfField(value)} into Go struct field ${struct}.${path.join('.')} of type ${field.goType}`,
    );
  };
  if ('is' in field) {
    if (value === null && field.is === 'string') return '';
    return kindOfField(value) === (field.is === 'boolean' ? 'bool' : field.is) ? value : fail();
  }
  if ('items' in field) {
    return Array.isArray(value) ? value.map(item => read(item, field.items, { struct, path })) : fail();
  }
  if (typeof value !== 'object' || Array.isArray(value)) return fail();
  const own = field.goType.replace(/^.*\./, '');
  const known = Object.entries(value ?? {}).filter(([name, member]) => Object.hasOwn(field.fields, name) && member !== null);
  return Object.fromEntries(
    known.map(([name, member]) => [name, read(member, ownMember(field.fields, name) ?? 'any', { struct: own, path: [...path, name] })]),
  );
}

/** A JSON value as Go's errors call it. */
export function kindOfField(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
