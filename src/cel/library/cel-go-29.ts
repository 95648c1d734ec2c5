import { ownMember } from '../../go/own-members.js';
import { type FunctionDeclaration, type Overload, unary, variadic } from '../check/declarations.js';
import { type CelValue, celError } from '../values/value.js';

/**
 * Returns functions of cel-go 0.26 as cel-go 0.29 declares them, which is the API server's since v1.37: there is no `duration(int)`,
 * `lists.range` refuses negative and large sizes, the search of an empty string starts at an offset in the text, and minutes of a time zone
 * are checked.
 */
export function inCelGo29(functions: readonly FunctionDeclaration[]): readonly FunctionDeclaration[] {
  return functions.map(declaration => {
    if (!declaration.overloads.some(({ id }) => isChanged(id))) return declaration;
    return { ...declaration, overloads: declaration.overloads.filter(({ id }) => id !== 'int64_to_duration').map(changedOverload) };
  });
}

function isChanged(id: string): boolean {
  return id === 'int64_to_duration' || id in refusals || /^timestamp_to_.*_tz$/.test(id);
}

/** Calls that fail before the function is called, or the result that it has in place of the function's. */
const refusals: Readonly<Record<string, (args: readonly CelValue[]) => CelValue | undefined>> = {
  lists_range: ([size]) => {
    if (typeof size !== 'bigint') return undefined;
    if (size < 0n) return celError(`lists.range: size must be non-negative, got ${size}`);
    return size > maxRange ? celError(`lists.range: size ${size} exceeds maximum allowed (${maxRange})`) : undefined;
  },
  string_index_of_string_int: emptyAt,
  string_last_index_of_string_int: emptyAt,
};

const maxRange = 1_000_000n;

function emptyAt([text, part, offset]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || part !== '' || typeof offset !== 'bigint') return undefined;
  if (offset < 0n) return celError(`index out of range: ${offset}`);
  const length = BigInt(Array.from(text).length);
  return offset > length ? length : offset;
}

/** Source: cel-go common/types/timestamp.go timeZone. */
function wrongMinutes([, zone]: readonly CelValue[]): CelValue | undefined {
  if (typeof zone !== 'string') return undefined;
  const [, hours, minutes] = /^([-+]?\d+):([-+]?\d+)$/.exec(zone) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const value = Number(minutes);
  return value < 0 || value > 59 ? celError(`timezone offset minutes out of range [0, 59]: ${zone}`) : undefined;
}

function changedOverload(overload: Overload): Overload {
  const { id, implementation } = overload;
  const refusal = ownMember(refusals, id) ?? (id.endsWith('_tz') ? wrongMinutes : undefined);
  if (refusal === undefined || implementation === undefined) return overload;
  const call = implementation.call as (...args: readonly CelValue[]) => CelValue;
  if (implementation.arity === 'unary') return { ...overload, implementation: unary(value => refusal([value]) ?? call(value)) };
  if (implementation.arity === 'binary')
    return { ...overload, implementation: { arity: 'binary', call: (left, right) => refusal([left, right]) ?? call(left, right) } };
  return { ...overload, implementation: variadic((...args) => refusal(args) ?? call(...args)) };
}
