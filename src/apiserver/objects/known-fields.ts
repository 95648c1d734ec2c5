import { isMap, isRawJson, listAt, type RawJson, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';

/** The texts of `fieldsV1` that were read last, none twice: objects of one run have mostly the same few. */
const textsOf = memoize((_: ApiServer): RawJson[] => []);
const maxTexts = 32;

/** Before a value of `fieldsV1`, and nowhere else in the text of JSON: quotes within strings have a backslash before them. */
const mark = '"fieldsV1":';

/** Text of an object with numbers in place of the sets of fields that are known. */
export interface ShortText {
  readonly text: string;
  /** Whether all sets of fields are known. */
  readonly isWhole: boolean;
}

/**
 * Returns the text with a number, for `knownFields`, in place of each known set of fields: these are half of the text of an object, and have names that no other value
 * has, for each of which V8's parser makes a new shape. Undefined if a value of `fieldsV1` is not an object.
 */
export function withoutKnownFields(server: ApiServer, text: string): ShortText | undefined {
  let at = text.indexOf(mark);
  if (at === -1) return { text, isWhole: true };
  const known = textsOf(server);
  let isWhole = true;
  let short = '';
  let copied = 0;
  for (; at !== -1; at = text.indexOf(mark, copied)) {
    const start = at + mark.length;
    if (text[start] !== '{') return undefined;
    const index = known.findIndex(({ rawJson }) => text.startsWith(rawJson, start));
    short += text.slice(copied, start);
    copied = start;
    const found = known[index];
    if (found === undefined) isWhole = false;
    else {
      short += String(index);
      copied += found.rawJson.length;
    }
  }
  return { text: short + text.slice(copied), isWhole };
}

/** Returns the set of fields of a number in a short text, while no others were remembered. */
export function knownFields(server: ApiServer, index: number): RawJson | undefined {
  const known = textsOf(server)[index];
  return known === undefined ? undefined : { ...known };
}

/** Remembers the sets of fields of an object that was read, for the next texts. */
export function rememberFields(server: ApiServer, object: ValueMap): void {
  const known = textsOf(server);
  for (const entry of listAt(object, 'metadata', 'managedFields')) {
    const fields = isMap(entry) ? entry.get('fieldsV1') : undefined;
    if (!isRawJson(fields) || fields.sent !== undefined || known.some(({ rawJson }) => rawJson === fields.rawJson)) continue;
    known.unshift({ rawJson: fields.rawJson });
    if (known.length > maxTexts) known.pop();
  }
}
