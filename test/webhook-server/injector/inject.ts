import { applyPatch } from 'fast-json-patch';
import { parseRequestTarget } from '../../../src/webhook-server/http/request-target.js';
import { type InjectorOptions, injector } from '../../../src/webhook-server/injector/injector.js';

// biome-ignore lint/suspicious/noExplicitAny: tests read members of any pod
export type Pod = any;

export interface Asked extends InjectorOptions {
  readonly pod: Pod;
  /** Namespace of the request. */
  readonly namespace?: string;
  readonly path?: string;
}

/** Returns an injector's response to the review of a pod, as in the body. */
// biome-ignore lint/suspicious/noExplicitAny: the response as plain data
export async function response({ pod, namespace = 'shop', path = '/inject', ...options }: Asked): Promise<any> {
  const request = { uid: 'u', namespace, object: pod };
  const bytes = Buffer.from(JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request }));
  const target = parseRequestTarget('POST', path);
  if (target === undefined) throw new Error(`invalid path ${path}`);
  const { body } = await injector(options).answer({
    method: 'POST',
    url: path,
    target,
    headers: new Map([['content-type', ['application/json']]]),
    hasBody: true,
    readBody: async () => ({ bytes, complete: true }),
  });
  return JSON.parse(body).response;
}

/** Returns the operations of a response's patch. */
export function operationsIn(answer: { readonly patch?: string }): Pod[] {
  return JSON.parse(Buffer.from(answer.patch ?? '', 'base64').toString());
}

/** Returns the pod with its injected parts. Rejects when the injector refuses it. */
export async function injected(asked: Asked): Promise<Pod> {
  const answer = await response(asked);
  if (answer.allowed !== true) throw new Error(answer.status.message);
  // Go's encoding of the pod, which is the original of the patch, has a status and resources.
  const containers = (list: Pod[] | undefined): Pod => list?.map(container => ({ resources: {}, ...container }));
  const { spec } = asked.pod;
  const lists = {
    containers: containers(spec.containers) ?? null,
    ...(spec.initContainers && { initContainers: containers(spec.initContainers) }),
  };
  const original = structuredClone({ metadata: {}, ...asked.pod, spec: { ...spec, ...lists }, status: {} });
  return answer.patch === undefined ? asked.pod : applyPatch(original, operationsIn(answer)).newDocument;
}
