import { goElementType, goTypeName } from '../apiserver/objects/go-type-name.js';
import { compareKeys } from '../go/json/write.js';
import { isList, isMap, type Value, type ValueMap } from '../go/value.js';
import type { Amount } from '../kubernetes/quantity-amount.js';
import { parseAmount } from '../kubernetes/quantity-parser.js';
import type { FieldSchema, LeafSchema, Schema, StructSchema } from '../kubernetes/schema.js';

/**
 * Prints a value as Kubernetes does to hash it: Go structs with the types and names of all their fields, set or not. The hash of a pod
 * template is part of the names of replica sets, so this format never changes. Throws RangeError for a value that is not reproduced.
 * Source: k8s.io/utils dump.ForHash, davecgh/go-spew format.go.
 */
export function printedForHash(value: ValueMap, schema: StructSchema): string {
  return printedField(value, { schema, pointer: false, goType: schema.goName });
}

interface Typed {
  readonly schema: Schema;
  readonly pointer: boolean;
  /** Type as Go prints it, without the pointer. */
  readonly goType: string;
}

/** Prints a value with its type, as struct fields are. */
function printedField(value: Value | undefined, { schema, pointer, goType }: Typed): string {
  const type = `(${pointer ? '*' : ''}${goType})`;
  return pointer && isAbsent(value) ? `${type}<nil>` : type + printed(value, schema, goType);
}

/** Prints a value without its type, as list items are. */
function printed(value: Value | undefined, schema: Schema, goType: string): string {
  switch (schema.type) {
    case 'struct':
      return printedStruct(isMap(value) ? value : new Map(), schema);
    case 'list': {
      // Empty lists and maps are lost before a controller reads them.
      if (!isList(value) || value.length === 0) return '<nil>';
      return `[${value.map(item => printed(item, schema.items, goElementType(goType) ?? goTypeName(schema.items))).join(' ')}]`;
    }
    case 'map': {
      if (!isMap(value) || value.size === 0) return '<nil>';
      const members = [...value].sort(([a], [b]) => compareKeys(a, b));
      return `map[${members.map(([key, member]) => `${key}:${printed(member, schema.values, goTypeName(schema.values))}`).join(' ')}]`;
    }
    default:
      return printedLeaf(value, schema);
  }
}

function printedStruct(value: ValueMap, { fields, goName }: StructSchema): string {
  return `{${printedMembers(value, fields, { depth: 0, package: goName.slice(0, goName.indexOf('.')) })}}`;
}

interface Embedding {
  /** Nesting of embedded structs around these fields. */
  readonly depth: number;
  /** Package of embedded structs: the same one. */
  readonly package: string;
}

/** Prints fields in order; those of one embedded struct are grouped under its name. */
function printedMembers(value: ValueMap, fields: readonly FieldSchema[], at: Embedding): string {
  const members: string[] = [];
  for (let i = 0; i < fields.length; ) {
    const field = fields[i];
    if (field === undefined) break;
    const embedded = field.embeddedIn?.[at.depth];
    const end = embedded === undefined ? i + 1 : endOf(fields, i, { depth: at.depth, embedded });
    members.push(
      embedded === undefined
        ? `${field.goName}:${printedField(value.get(field.name), typedField(field))}`
        : `${embedded}:(${at.package}.${embedded}){${printedMembers(value, fields.slice(i, end), { ...at, depth: at.depth + 1 })}}`,
    );
    i = end;
  }
  return members.join(' ');
}

function endOf(
  fields: readonly FieldSchema[],
  start: number,
  { depth, embedded }: { readonly depth: number; readonly embedded: string },
): number {
  const end = fields.findIndex((field, i) => i > start && field.embeddedIn?.[depth] !== embedded);
  return end < 0 ? fields.length : end;
}

function typedField({ schema, pointer, goType }: FieldSchema): Typed {
  return { schema, pointer, goType: goTypeName(schema, goType) };
}

function printedLeaf(value: Value | undefined, { leaf }: LeafSchema): string {
  switch (leaf) {
    case 'string':
      return typeof value === 'string' ? value : '';
    case 'bool':
      return String(value === true);
    case 'int32':
    case 'int64':
      return typeof value === 'bigint' ? String(value) : '0';
    case 'quantity':
      return printedQuantity(typeof value === 'string' ? value : '');
    case 'intorstring':
      return typeof value === 'string'
        ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
        : `{Type:(intstr.Type)0 IntVal:(int32)${typeof value === 'bigint' ? value : 0} StrVal:(string)}`;
    case 'time':
      if (isAbsent(value)) return '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';
      // Go prints the time zone of the machine, too.
      throw new RangeError('a time in a pod template');
    default:
      throw new RangeError(`a ${leaf} in a pod template`);
  }
}

function isAbsent(value: Value | undefined): boolean {
  return value === undefined || value === null;
}

/**
 * Prints the struct of a quantity like Go: an integer with a power of ten, or a big decimal, and its text if kept. Empty text is an unset
 * quantity. Throws QuantityError for an invalid one. Source: apimachinery api/resource quantity.go, gopkg.in/inf.v0.
 */
function printedQuantity(text: string): string {
  if (text === '') return struct({ unscaled: 0n, scale: 0, decimal: false }, '', '');
  const { amount, format, reused } = parseAmount(text, 'all');
  return struct(amount, reused ? text : '', format);
}

function struct(amount: Amount, text: string, format: string): string {
  const { unscaled, scale } = amount.decimal ? { unscaled: 0n, scale: 0 } : amount;
  const integer = `i:(resource.int64Amount){value:(int64)${unscaled} scale:(resource.Scale)${scale}}`;
  const decimal = amount.decimal ? bigDecimal(amount) : '<nil>';
  return `{${integer} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} s:(string)${text} Format:(resource.Format)${format}}`;
}

/** Its scale counts decimals. */
function bigDecimal({ unscaled, scale }: Amount): string {
  const limbs = wordsOf(unscaled < 0n ? -unscaled : unscaled);
  return `{unscaled:(big.Int){neg:(bool)${unscaled < 0n} abs:(big.nat)[${limbs.join(' ')}]} scale:(inf.Scale)${-scale}}`;
}

const wordBits = 64n;

/** Returns a number in 64-bit chunks, lowest first. */
function wordsOf(magnitude: bigint): bigint[] {
  const limbs: bigint[] = [];
  for (let rest = magnitude; rest > 0n; rest >>= wordBits) limbs.push(BigInt.asUintN(Number(wordBits), rest));
  return limbs;
}
