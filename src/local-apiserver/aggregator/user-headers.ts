import { encodeByteString } from '../../go/byte-string.js';
import type { UserInfo } from '../../kubernetes/api-call.js';

type Field = readonly [name: string, value: string];

/** Returns the headers by which other API servers know a user, one character for each byte. Source: client-go transport SetAuthProxyHeaders. */
export function userHeaders({ username, uid, groups, extra }: UserInfo): Field[] {
  const fields: Field[] = [
    ['X-Remote-User', username],
    ...(uid === '' ? [] : [['X-Remote-Uid', uid] as const]),
    ...groups.map(group => ['X-Remote-Group', group] as const),
    ...[...extra].flatMap(([key, values]) => values.map(value => [`X-Remote-Extra-${escapedKey(key)}`, value] as const)),
  ];
  return fields.map(([name, value]) => [name, encodeByteString(value)]);
}

/** Reports whether a header may name a user: only those of this API server are passed on. */
export function namesUser(name: string): boolean {
  return /^x-remote-(?:user|uid|group|extra-.*)$/.test(name);
}

/** Source: client-go transport headerKeyEscape. */
function escapedKey(key: string): string {
  return [...Buffer.from(key)]
    .map(byte =>
      legal.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}

const legal = /^[!#$&'*+\-.^_`|~0-9A-Za-z]$/;
