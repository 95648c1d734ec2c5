import { planObjects } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import { stateOf } from '../../../client/manifests/cluster-state.js';
import type { Manifest } from '../../../client/manifests/manifests.js';
import { collectReports } from '../../../client/run/run-calls.js';
import { copyOf, isMap, stringAt, type ValueMap } from '../../../go/value.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import { runUnsent } from '../../work/calls/run-unsent.js';

export interface TriedCluster {
  readonly cluster: readonly ValueMap[];
  readonly namespace: ValueMap | undefined;
}

export interface TriedCall {
  /** Names of the webhooks that would be called, in order. */
  readonly called: readonly string[];
  /** Message with which the API server itself refuses the call; undefined if it does not. */
  readonly refusal: string | undefined;
  /** A mutating webhook is called before the object is validated, and may add what the refusal is about. */
  readonly mayBeCompleted: boolean;
}

/** Returns what the API server would do with a manifest whose webhooks allow everything. Nothing is sent. */
export async function tryCall(manifest: Manifest, { cluster, namespace }: TriedCluster, surroundings: Surroundings): Promise<TriedCall> {
  const copies = [...cluster, ...(namespace === undefined ? [] : [namespace])].map(copyOf).filter(isMap);
  const state = stateOf(copies, { server: apiServers(), options: defaultServerOptions, presumesNamespaces: false }, surroundings);
  const object = copyOf(manifest.object);
  if (!isMap(object)) return { called: [], refusal: undefined, mayBeCompleted: false };
  try {
    const flags = { namespace: stringAt(object, 'metadata', 'namespace') || stringAt(namespace, 'metadata', 'name') || undefined };
    const plan = planObjects(state, { manifests: [{ ...manifest, object }], old: [] }, { flags, surroundings });
    const results = runUnsent({ ...plan, warnings: [] }, state, { registeredIn: same => same, surroundings });
    const [answered] = await collectReports(results);
    const entries = answered?.report.webhooks ?? [];
    const called = entries.filter(({ outcome, round }) => outcome !== 'skipped' && round === 1);
    const status = answered?.report.decision.status;
    return {
      called: called.map(({ webhook }) => webhook),
      refusal: stringAt(status, 'message') || undefined,
      mayBeCompleted: stringAt(status, 'reason') === 'Invalid' && called.some(({ phase }) => phase === 'mutating'),
    };
  } catch (error) {
    if (error instanceof CliError) return { called: [], refusal: error.message, mayBeCompleted: false };
    throw error;
  }
}
