import { requestInfoOf } from '../apiserver/endpoints/request-info.js';
import { stringAt } from '../go/value.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import { kindOf } from '../kubernetes/storage.js';
import { CliError } from './cli-error.js';

/**
 * Throws CliError for a call whose result depends on the values of a Secret in the cluster, which are never read. Secrets that do not
 * exist, or come from files, are allowed.
 */
export function refuseWithheld({ method, path }: ApiCall, { objects, source }: ClusterState): void {
  const info = requestInfoOf(path);
  if (source === undefined || method === 'POST' || info.type === 'other' || info.group !== '' || info.resource !== 'secrets') return;
  const kind = { group: '', kind: 'Secret' };
  const inCluster = info.name === '' ? source.list(kind, info.namespace || undefined) : [source.find(kind, info.namespace, info.name)];
  const given = objects.filter(object => kindOf(object).kind === 'Secret').map(nameOf);
  const withheld = inCluster.find(secret => secret !== undefined && !given.includes(nameOf(secret)));
  if (withheld === undefined) return;
  throw new CliError('incomplete-state', `the values of the Secret ${nameOf(withheld)} are not read from a cluster`, {
    suggestions: ['pass the Secret with --old', 'with --state'],
  });
}

function nameOf(object: Parameters<typeof kindOf>[0]): string {
  return `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
}
