import { handleCall } from '../../src/apiserver/handle-call.js';
import { toValue, type ValueMap } from '../../src/go/value.js';
import { featureGatesIn } from '../../src/kubernetes/feature-gates.js';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import { clusterStateWith } from './cluster-state.js';
import { apiServers } from './server.js';

/** A write without webhooks, of an object as JavaScript data; with a stored object it is an update. */
export interface Written {
  /** `/api/v1/namespaces/n/services`; for an update the object's own path. */
  readonly path: string;
  readonly object: object;
  readonly stored?: object;
  /** The object is a patch of this content type. */
  readonly patchType?: string;
  /** Other objects of the cluster. */
  readonly around?: readonly object[];
  /** If given, the user has no administrator groups. */
  readonly username?: string;
  readonly kubernetesVersion?: KubernetesMinor;
  /** Flags of the API server, `--feature-gates=A=true`. */
  readonly flags?: readonly string[];
}

/** Result of a write; `message` is that of a refusal. Random numbers are always 0. */
export interface WrittenAnswer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  readonly message: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any kind of object
  readonly body: any;
}

/** Writes an object at a fixed time. */
export async function write({
  path,
  object,
  stored,
  patchType,
  around = [],
  username,
  kubernetesVersion,
  flags = [],
}: Written): Promise<WrittenAnswer> {
  const objects = [...around, ...(stored === undefined ? [] : [stored])].map(o => toValue(o) as ValueMap);
  const call = {
    method: patchType !== undefined ? 'PATCH' : stored === undefined ? 'POST' : 'PUT',
    path,
    contentType: patchType ?? 'application/json',
    body: Buffer.from(JSON.stringify(object)),
    user: username === undefined ? undefined : { username },
  };
  const report = await handleCall(
    call,
    clusterStateWith({
      server: apiServers({ minor: kubernetesVersion, featureGates: featureGatesIn(flagValues(flags)) }),
      objects,
      options: serverOptions(flagValues(['--disable-admission-plugins=ServiceAccount', ...flags])),
    }),
    {
      callWebhook: () => Promise.reject(new Error('no webhook is registered')),
      uid: () => '11111111-1111-4111-8111-111111111111',
      now: () => new Date('2026-01-02T03:04:05Z'),
      random: () => 0,
      elapsedMs: () => 0,
    },
  );
  const body = JSON.parse(report.answer.body);
  const message = report.answer.status < 300 ? undefined : body.message;
  return { status: report.answer.status, warnings: report.answer.warnings, notes: report.notes, message, body };
}
