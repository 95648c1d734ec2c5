import { pointerToken } from '../../encoding/json-pointer.js';
import { writeValue } from '../../go/json/write.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';

/** A difference between two values: a JSON pointer and the values at it; undefined where there is none. */
export interface AnswerDifference {
  readonly path: string;
  readonly a: Value | undefined;
  readonly b: Value | undefined;
}

/** The differences between two values, only the deepest, in document order of the first. */
export function differencesBetween(a: Value | undefined, b: Value | undefined, path = ''): AnswerDifference[] {
  if (isMap(a) && isMap(b)) {
    const keys = new Set([...a.keys(), ...b.keys()]);
    return [...keys].flatMap(key => differencesBetween(a.get(key), b.get(key), `${path}/${pointerToken(key)}`));
  }
  if (isList(a) && isList(b)) {
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => differencesBetween(a[i], b[i], `${path}/${i}`)).flat();
  }
  return valueText(a) === valueText(b) ? [] : [{ path, a, b }];
}

/** A value for a message: compact JSON, truncated when long; `nothing` without a value. */
export function shownDifference(value: Value | undefined): string {
  if (value === undefined) return 'nothing';
  const text = textWithoutSecrets(valueText(value) ?? '');
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** The first of some names, and the number of the others: `a, b, c and 2 more`. */
export function firstFew(texts: readonly string[]): string {
  const more = texts.length - few;
  return more > 0 ? `${texts.slice(0, few).join(', ')} and ${more} more` : texts.join(', ');
}

const longest = 80;
const few = 3;

function valueText(value: Value | undefined): string | undefined {
  return value === undefined ? undefined : writeValue(value, 'sorted');
}
