import { expect } from 'vitest';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { allowWithoutSending } from '../../../src/client/run/allowing-webhook.js';
import type { ApiServer } from '../../../src/kubernetes/api-server.js';
import type { CallWebhook } from '../../../src/kubernetes/webhook-call.js';
import { makeCertificate } from '../../support/certificate-maker.js';
import { newServedCluster, type ServedCluster } from './served-cluster.js';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const group = 'sea.example.com';
export const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** A definition of boats in two versions. */
export interface Boats {
  readonly group?: string;
  readonly kind?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly storage?: 'v1' | 'v2';
  /** Base64; undefined for objects that need no conversion. */
  readonly caBundle?: string;
}

/** Returns the specification of a definition. */
export function specOf({ group: of = group, kind = 'Boat', storage = 'v1', caBundle }: Boats): object {
  const clientConfig = { url: 'https://127.0.0.1:1/convert', caBundle };
  const webhook = { conversionReviewVersions: ['v1'], clientConfig };
  return {
    group: of,
    scope: 'Namespaced',
    names: { plural: 'boats', kind },
    versions: ['v1', 'v2'].map(name => ({ name, served: true, storage: name === storage, schema: { openAPIV3Schema } })),
    conversion: caBundle === undefined ? { strategy: 'None' } : { strategy: 'Webhook', webhook },
  };
}

const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } };

/** Creates the definition of boats. */
export async function define({ request }: ServedCluster, boats: Boats = {}): Promise<void> {
  const metadata = { name: `boats.${boats.group ?? group}`, annotations: boats.annotations };
  const body = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec: specOf(boats) };
  expect((await request('POST', definitionsPath, { body })).status).toBe(201);
}

/** Returns the status of an answer, and its JSON. */
export async function read({ request }: ServedCluster, path: string) {
  const { status, body } = await request('GET', path);
  return { status, body: JSON.parse(String(body)) };
}

/** Returns the conditions of the definition of boats as `TYPE=STATUS REASON: MESSAGE`. */
export async function conditionsOf(cluster: ServedCluster, of = group): Promise<string[]> {
  const { body } = await read(cluster, `${definitionsPath}/boats.${of}`);
  return body.status.conditions.map(
    (c: { type: string; status: string; reason: string; message: string }) => `${c.type}=${c.status} ${c.reason}: ${c.message}`,
  );
}

/** A caBundle that can be used. */
export const usableBundle = Buffer.from(makeCertificate({ isAuthority: true }).pem).toString('base64');

/** Returns a cluster whose conversion webhook only changes versions while `isUp`. */
export function convertingCluster(apiServer: ApiServer, isUp: () => boolean, flags: readonly string[] = []): ServedCluster {
  const callWebhook: CallWebhook = async call => {
    if (call.phase !== 'conversion') return allowWithoutSending(call);
    const reason = 'dial tcp 127.0.0.1:1: connect: connection refused';
    if (!isUp()) return { outcome: 'failed', class: 'tcp', message: `Post "${call.url}": ${reason}`, reason, durationMs: 0 };
    const { request } = JSON.parse(call.body);
    const convertedObjects = request.objects.map((object: object) => ({ ...object, apiVersion: request.desiredAPIVersion }));
    const response = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
    const body = Buffer.from(JSON.stringify({ apiVersion: call.apiVersion, kind: 'ConversionReview', response }));
    return { outcome: 'answered', statusCode: 200, headers: [['content-type', 'application/json']], body, durationMs: 0 };
  };
  return newServedCluster(flags, apiServer, () => effectsFor(callWebhook));
}
