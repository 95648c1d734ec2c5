import { handleCall } from '../apiserver/handle-call.js';
import type { Report } from '../apiserver/report.js';
import { type ApiCall, type ClusterState, serverOf } from '../kubernetes/api-call.js';
import { asServer } from '../kubernetes/as-server.js';
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
 * Makes a call in a state whose objects are read from a cluster. Attempts that send nothing come first, until all they look up has been read: webhooks
 * are called again only where a patch of theirs makes the call look up something else.
 */
export async function callInCluster(call: ApiCall, state: ClusterState, effects: () => Effects): Promise<Report> {
  const steady = repeatable(effects);
  const unsent = (): Effects => ({ ...steady(), callWebhook: allowWithoutSending, observer: undefined });
  await readAsNeeded(state.source, () => asServer(serverOf(state), async () => lookUpExpected(call, state)));
  await readAsNeeded(state.source, () => handleCall(call, state, unsent()));
  refuseWithheld(call, state);
  return readAsNeeded(state.source, () => handleCall(call, state, steady()));
}

/** Lets every attempt draw the same random numbers, so that generated names stay. */
function repeatable(effects: () => Effects): () => Effects {
  const drawn: number[] = [];
  return () => {
    const own = effects();
    let at = 0;
    const random = (): number => {
      const number = drawn[at] ?? own.random();
      drawn[at] = number;
      at += 1;
      return number;
    };
    return { ...own, random };
  };
}
