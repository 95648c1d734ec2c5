import { queryOf } from '../../apiserver/endpoints/request-info.js';

/**
 * Would a request change the cluster? Everything but a read is refused that is not a dry run by its query, and by its body too where that
 * replaces the query: options of a deletion.
 */
export function isWriteWithoutDryRun({
  method,
  path,
  body,
}: {
  readonly method: string;
  readonly path: string;
  readonly body?: Uint8Array | undefined;
}): boolean {
  if (method === 'GET') return false;
  const values = queryOf(path).get('dryRun') ?? [];
  if (values.length !== 1 || values[0] !== 'All') return true;
  if (method !== 'DELETE' || body === undefined || body.length === 0) return false;
  return !/^\{.*"dryRun":\["All"\]\}$/s.test(Buffer.from(body).toString('utf8'));
}
