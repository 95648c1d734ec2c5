import { requestInfoOf } from '../../apiserver/call/request-info.js';
import { handleCall } from '../../apiserver/handle-call.js';
import type { Report } from '../../apiserver/report/report.js';
import { stringAt } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { NotYetRead, type ObjectSource } from '../../kubernetes/object-source.js';
import { kindOf } from '../../kubernetes/storage.js';
import { CliError } from '../cli-error.js';
import { lookUpExpected } from '../manifests/read-as-needed.js';
import { allowWithoutSending } from './allowing-webhook.js';

/** Repeats a computation until everything that it looks up in a cluster has been read. Rejects when the cluster cannot be read. */
export async function readAsNeeded<T>(source: ObjectSource | undefined, compute: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await compute();
    } catch (error) {
      if (source === undefined || !(error instanceof NotYetRead)) throw error;
      await source.readMissing(error);
    }
  }
}

/**
 * Makes a call in a state whose objects are read from a cluster. First makes attempts that send nothing, until all objects that they look
 * up have been read: webhooks are called repeatedly only if their patches cause further lookups.
 */
export async function callInCluster(call: ApiCall, state: ClusterState, effects: () => Effects): Promise<Report> {
  const steady = repeatable(effects);
  const unsent = (): Effects => ({ ...steady(), callWebhook: allowWithoutSending, observer: undefined });
  await readAsNeeded(state.source, () => lookUpExpected(call, state));
  await readAsNeeded(state.source, () => handleCall(call, state, unsent()));
  refuseWithheld(call, state);
  return readAsNeeded(state.source, () => handleCall(call, state, steady()));
}

/** Gives every attempt the same random numbers, so that generated names do not change. */
function repeatable(effects: () => Effects): () => Effects {
  const drawn: number[] = [];
  return () => {
    const own = effects();
    let at = 0;
    const random = (): number => {
      // Numbers with a seed go on as if all of them were drawn here.
      const next = own.random();
      const number = drawn[at] ?? next;
      drawn[at] = number;
      at += 1;
      return number;
    };
    return { ...own, random };
  };
}

/**
 * Throws CliError for a call whose result depends on the values of a Secret in the cluster, which are never read. Secrets that do not
 * exist, or come from files, are allowed.
 */
function refuseWithheld({ method, path }: ApiCall, { objects, source }: ClusterState): void {
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
