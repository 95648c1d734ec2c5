import type { TokenUser } from '../local-apiserver/cluster.js';

/**
 * Returns the users in a CSV file of `token,user,uid,"group1,group2"`, or the number of columns of a line with too few. The last line of a token
 * counts. Source: apiserver authentication/token/tokenfile.
 */
export function parseTokenFile(text: string): { readonly users: readonly TokenUser[] } | { readonly columns: number } {
  const users = new Map<string, TokenUser>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue;
    const record = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
      quoted === undefined ? plain : quoted.replaceAll('""', '"'),
    );
    if (record.length < 3) return { columns: record.length };
    const [token = '', username = '', uid = '', groups] = record;
    if (token !== '') users.set(token, { token, username, uid, groups: groups === undefined ? [] : groups.split(',') });
  }
  return { users: [...users.values()] };
}
