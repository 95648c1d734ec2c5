import type { CallWebhook } from '../../../src/kubernetes/webhook-call.js';

/** Returns a webhook of a configuration for all requests to these resources; its URL ends in its name. */
export function webhookOf(name: string, reinvocationPolicy: string, resource = '*'): object {
  return {
    name: `${name}.example.com`,
    clientConfig: { url: `https://127.0.0.1:1/${name}`, caBundle: '' },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [resource], scope: '*' }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    timeoutSeconds: 10,
    namespaceSelector: {},
    objectSelector: {},
    reinvocationPolicy,
  };
}

/** Returns webhooks that allow every request; one of them patches it. `called` gets each name with the reviewed object. */
export function webhooksPatching(
  patching: string,
  operations: readonly object[],
  called: (name: string, object: object) => void,
): CallWebhook {
  return async ({ body, url }) => {
    const { request } = JSON.parse(body);
    const name = new URL(url).pathname.slice(1);
    called(name, request.object);
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
    const change = name === patching ? { patch, patchType: 'JSONPatch' } : {};
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: request.uid, allowed: true, ...change } };
    return { outcome: 'answered', statusCode: 200, headers: [], body: Buffer.from(JSON.stringify(review)), durationMs: 0 };
  };
}
