import { queryOfRequest, requestInfoOf } from '../../apiserver/call/request-info.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { isMap, type ValueMap } from '../../go/value.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import { isWriteWithoutDryRun } from '../http/write-guard.js';

/** A call as a server-side dry run, or why there is none. */
export type DryRun = { readonly call: ApiCall } | { readonly reason: string };

/** Subresources whose requests have effects that a dry run does not prevent. */
const undryable: Readonly<Record<string, string>> = {
  exec: 'it opens a connection to a container',
  attach: 'it opens a connection to a container',
  portforward: 'it opens a connection to a pod',
  proxy: 'it is forwarded to a workload',
  token: 'the response would contain a token',
};

/** Returns a call with dryRun=All in its query, and in the options of a deletion, which replace the query. */
export function dryRunOf(call: ApiCall): DryRun {
  const info = requestInfoOf(call.path);
  if (info.type === 'other') return { reason: 'only calls on resources can be dry runs' };
  const reason = ownMember(undryable, info.subresource);
  if (reason !== undefined) return { reason };
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(call.method)) return { reason: `${call.method} writes nothing` };
  if (info.group === '' && info.resource === 'secrets' && call.method !== 'POST')
    return { reason: "the cluster's response would contain the values of the Secret" };
  const path = withDryRun(call.path);
  if (call.method !== 'DELETE' || call.body === undefined || call.body.length === 0) return checked({ ...call, path });
  const options = optionsIn(call);
  if (options === undefined) return { reason: 'the options of the deletion are not JSON' };
  options.delete('dryRun');
  const body = Buffer.from(writeValue(options.set('dryRun', ['All']), 'kept'));
  return checked({ ...call, path, body });
}

function withDryRun(path: string): string {
  const given = queryOfRequest(path).get('dryRun') ?? [];
  if (given.length > 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;
}

function optionsIn({ body }: ApiCall): ValueMap | undefined {
  try {
    const options = readUnstructured(Buffer.from(body ?? []).toString('utf8'));
    return isMap(options) ? options : undefined;
  } catch {
    return undefined;
  }
}

/** A call with other values of dryRun is not sent. */
function checked(call: ApiCall): DryRun {
  return isWriteWithoutDryRun(call) ? { reason: 'its dryRun is not All' } : { call };
}
