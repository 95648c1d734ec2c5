import { handleCall } from '../apiserver/handle-call.js';
import type { Report } from '../apiserver/report.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import type { Effects } from '../kubernetes/effects.js';
import { NotYetRead, type ObjectSource } from '../kubernetes/object-source.js';
import { allowWithoutSending } from './allowing-webhook.js';
import { lookUpExpected } from './expected-lookups.js';
import { refuseWithheld } from './withheld-values.js';

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
