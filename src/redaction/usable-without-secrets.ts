import { ownMember } from '../go/own-members.js';
import { isMap, type Value, type ValueMap } from '../go/value.js';
import { markers } from './marker.js';
import { withMembers, withTexts } from './replaced.js';
import { jsonWithoutSecretsOf, withoutSecrets } from './secrets.js';

/**
 * Returns an object with every secret replaced by a text that the API server takes in its place: it is valid in labels and addresses, base64 in the
 * data of a Secret, and JSON where the secret is JSON. The same object if it has none.
 */
export function usableWithoutSecrets(object: ValueMap): ValueMap {
  const clean = withTexts(withoutSecrets(object), text => text.replace(markers, 'redacted-$1'));
  if (!isMap(clean) || object.get('kind') !== 'Secret' || object.get('apiVersion') !== 'v1') return isMap(clean) ? clean : object;
  return withMembers(clean, (member, key) => {
    const encoding = ownMember(encodings, key);
    return encoding === undefined ? member : usableData(object.get(key) ?? null, encoding);
  });
}

/** How the texts in a member of a Secret are written. */
const encodings: Readonly<Record<string, BufferEncoding>> = { data: 'base64', stringData: 'utf8' };

function usableData(data: Value, encoding: BufferEncoding): Value {
  if (!isMap(data)) return data;
  return withMembers(data, item => {
    if (typeof item !== 'string' || item === '') return item;
    const isJson = isMap(jsonWithoutSecretsOf(Buffer.from(item, encoding).toString('utf8')));
    return Buffer.from(isJson ? '{}' : 'redacted').toString(encoding);
  });
}
