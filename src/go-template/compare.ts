import { printValue, sprintf } from './print.js';
import { type GoValue, typeOf, withoutType } from './values.js';

const badType = 'invalid type for comparison';

function basicKind(given: GoValue): string {
  const value = withoutType(given);
  return typeof value === 'object' || value === undefined ? 'invalid' : typeof value;
}

/** Reports whether the first value equals one of the others. Throws an Error with Go's message. Source: text/template funcs.go eq. */
export function equals(first: GoValue, others: readonly GoValue[]): boolean {
  if (others.length === 0) throw new Error('missing argument for comparison');
  return others.some(other => equalTo(first, other));
}

function equalTo(first: GoValue, other: GoValue): boolean {
  const isNil = (value: GoValue): boolean => value === undefined || value === null;
  if (basicKind(first) !== basicKind(other)) {
    if (!isNil(first) && !isNil(other)) throw new Error(`incompatible types for comparison: ${typeOf(first)} and ${typeOf(other)}`);
    return false;
  }
  if (basicKind(first) !== 'invalid') return withoutType(first) === withoutType(other);
  if (isNil(first) || isNil(other)) return isNil(first) && isNil(other);
  if (kindOf(first) !== kindOf(other))
    throw new Error(`non-comparable types ${sprintf('%s', [first])}: ${typeOf(first)}, ${typeOf(other)}: ${printValue(other)}`);
  throw new Error(`non-comparable type ${sprintf('%s', [other])}: ${typeOf(other)}`);
}

function kindOf(value: GoValue): string {
  return typeof value === 'object' && value !== null ? value.kind : '';
}

/** Reports whether the first value is less than the second. Throws an Error with Go's message. Source: text/template funcs.go lt. */
export function lessThan(givenFirst: GoValue, givenOther: GoValue): boolean {
  const [first, other] = [withoutType(givenFirst), withoutType(givenOther)];
  const [kind, otherKind] = [basicKind(first), basicKind(other)];
  if (kind === 'invalid' || otherKind === 'invalid') throw new Error(badType);
  if (kind !== otherKind) throw new Error(`incompatible types for comparison: ${typeOf(givenFirst)} and ${typeOf(givenOther)}`);
  if (typeof first === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(first), Buffer.from(other)) < 0;
  if (typeof first === 'bigint' && typeof other === 'bigint') return first < other;
  if (typeof first === 'number' && typeof other === 'number') return first < other;
  throw new Error(badType);
}
