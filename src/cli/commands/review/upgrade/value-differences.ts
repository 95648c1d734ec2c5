import { writeValue } from '../../../../go/json/write.js';
import { isList, isMap, type Value } from '../../../../go/value.js';

/** Difference between two versions; a member is absent if that version lacks the value. */
export interface VersionDifference {
  /** The call, `CREATE Pod shop/web`; absent for differences in rules. */
  readonly call?: string;
  /** `answer.code`, `review[mutating m.example.com].object.spec.hostnameOverride`. */
  readonly at: string;
  readonly from?: string;
  readonly to?: string;
}

/** Members with random values or times. */
const volatile: ReadonlySet<string> = new Set(['uid', 'time', 'creationTimestamp', 'resourceVersion']);

/** Returns the leaves in which two values differ. */
export function valueDifferences(at: string, from: Value | undefined, to: Value | undefined): VersionDifference[] {
  if (isMap(from) && isMap(to)) {
    const keys = [...new Set([...from.keys(), ...to.keys()])].filter(key => !volatile.has(key));
    return keys.flatMap(key => valueDifferences(`${at}.${key}`, from.get(key), to.get(key)));
  }
  if (isList(from) && isList(to) && from.length === to.length)
    return from.flatMap((item, i) => valueDifferences(`${at}[${i}]`, item, to[i]));
  const [before, after] = [valueText(from), valueText(to)];
  if (before === after) return [];
  return [{ at, ...(before === undefined ? {} : { from: before }), ...(after === undefined ? {} : { to: after }) }];
}

function valueText(value: Value | undefined): string | undefined {
  return value === undefined ? undefined : writeValue(value, 'sorted');
}
