import { handleCall } from '../../../src/apiserver/handle-call.js';
import type { Answer } from '../../../src/apiserver/report/report.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { clusterStateWith } from '../../support/cluster-state.js';

/** Makes a call in a state with these objects and without webhooks. */
export async function answerIn(
  objects: readonly object[],
  call: { method: string; path: string; [more: string]: unknown },
): Promise<Answer> {
  const state = clusterStateWith({ objects: objects.map(object => toValue(object) as ValueMap) });
  const callWebhook = () => Promise.reject(new Error('no webhook is registered'));
  return (await handleCall(call, state, effectsFor(callWebhook, { now: new Date('2026-06-01T00:00:00Z') }))).answer;
}

/** The message of a Status. */
export function messageOf({ body }: Answer): string | undefined {
  return (JSON.parse(body) as { message?: string }).message;
}
