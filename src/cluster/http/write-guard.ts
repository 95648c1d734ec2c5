import { queryOfRequest } from '../../apiserver/call/request-info.js';

/**
 * Reports whether a request could change the cluster: anything except reads and dry runs. Options in the body of a deletion override the
 * query, so both must request a dry run.
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
  const values = queryOfRequest(path).get('dryRun') ?? [];
  if (values.length !== 1 || values[0] !== 'All') return true;
  if (method !== 'DELETE' || body === undefined || body.length === 0) return false;
  return !/^\{.*"dryRun":\["All"\]\}$/s.test(Buffer.from(body).toString('utf8'));
}

/** Reports whether a request for another protocol asks for one port of a pod: the only connection into a cluster. */
export function isPortForward(path: string): boolean {
  return /^\/api\/v1\/namespaces\/[a-z0-9-]+\/pods\/[a-z0-9][a-z0-9.-]*\/portforward\?ports=\d{1,5}$/.test(path);
}
