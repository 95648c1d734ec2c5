import { CliError } from '../../../client/cli-error.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import { marker } from '../../../redaction/marker.js';
import { withTexts } from '../../../redaction/replaced.js';
import { withoutSecrets } from '../../../redaction/secrets.js';

/**
 * Returns an edited object with the secrets of the original in the places of their markers: pages do not show secrets. Throws CliError for a marker in a text that the user
 * has changed, which would be sent as it is.
 */
export function withOriginalSecrets(edited: ValueMap, original: ValueMap): ValueMap {
  const originals = new Map<string, string>();
  collect(original, withoutSecrets(original), originals);
  const restored = withTexts(edited, text => {
    const secret = originals.get(text);
    if (secret !== undefined || !marker.test(text)) return secret ?? text;
    throw new CliError('invalid-manifest', 'a changed text contains a marker in the place of a secret', {
      location: { file: 'edited object' },
      suggestions: ['write the secret itself', 'leave the text as it was'],
    });
  });
  return isMap(restored) ? restored : edited;
}

function collect(original: Value | undefined, clean: Value | undefined, found: Map<string, string>): void {
  if (original === clean) return;
  if (typeof original === 'string' && typeof clean === 'string') found.set(clean, original);
  else if (isMap(original) && isMap(clean)) for (const [key, member] of original) collect(member, clean.get(key), found);
  else if (isList(original) && isList(clean)) for (const [index, item] of original.entries()) collect(item, clean[index], found);
}
