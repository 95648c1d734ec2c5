import { Agent, request } from 'node:https';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import type { ApiCall } from '../../src/kubernetes/api-call.js';
import { clusterStateWith } from '../support/cluster-state.js';

export interface Reply {
  /** Zero for a connection that the server closed. */
  readonly status: number;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

/** Sends a call to the server named by the environment variables KUBE_APISERVER and KUBE_TOKEN. */
export function send(call: ApiCall): Promise<Reply> {
  const { KUBE_APISERVER: server, KUBE_TOKEN: token } = process.env;
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'User-Agent': 'random',
  };
  return new Promise(resolve => {
    const sent = request(`${server}${call.path}`, { method: call.method, headers, agent }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }));
    });
    sent.on('error', () => resolve({ status: 0, body: '' }));
    sent.end(call.body);
  });
}

/** The project's answer to a call, with these objects in the cluster; no webhook may be called. */
export async function produced(call: ApiCall, objects: readonly ValueMap[]): Promise<Reply> {
  const state = clusterStateWith({ objects, presumesNamespaces: false });
  const callWebhook = () => Promise.reject(new Error('no webhook is called'));
  return (await handleCall(call, state, effectsFor(callWebhook))).answer;
}

/** A manifest as the state holds it. */
export function objectOf(data: object): ValueMap {
  const value = readUnstructured(JSON.stringify(data));
  return isMap(value) ? value : (toValue({}) as ValueMap);
}
