import { isMap, type Value, type ValueMap } from '../../go/value.js';

/** The document is not a valid script; the message has the path and the reason: `endpoint.answers[0].kind: must be one of http, raw`. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

/** Returns an optional member. */
export function optionalField<T>(map: ValueMap, name: string, at: string, read: (value: Value, at: string) => T): T | undefined {
  const value = map.get(name);
  return value === undefined ? undefined : read(value, `${at}.${name}`);
}

/** Throws ScriptError for unknown members: a misspelled fault must not be ignored. */
export function onlyMembers(map: ValueMap, known: readonly string[], at: string): void {
  for (const name of map.keys()) {
    if (!known.includes(name)) throw new ScriptError(`${at}: unknown member ${JSON.stringify(name)}; use one of ${known.join(', ')}`);
  }
}

/** Returns an object; throws ScriptError for another type, like the functions below. */
export function mapFrom(value: Value, at: string): ValueMap {
  if (isMap(value)) return value;
  throw new ScriptError(`${at}: must be an object`);
}

/** Returns a string. */
export function textFrom(value: Value, at: string): string {
  if (typeof value === 'string') return value;
  throw new ScriptError(`${at}: must be a string`);
}

/** Returns a boolean. */
export function truthFrom(value: Value, at: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ScriptError(`${at}: must be true or false`);
}

/** Returns a non-negative integer. */
export function numberFrom(value: Value, at: string): number {
  if (typeof value === 'bigint' && value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new ScriptError(`${at}: must be a non-negative integer`);
}

/** One of some strings. */
export function wordFrom<W extends string>(value: Value, at: string, choices: readonly W[]): W {
  const found = choices.find(word => word === value);
  if (found === undefined) throw new ScriptError(`${at}: must be one of ${choices.join(', ')}`);
  return found;
}
