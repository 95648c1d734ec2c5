import type { TracedCall } from '../../src/pages/trace-data.js';

/** Returns a call with this text in every field that a webhook or a manifest can set, and `message` as the webhook's message. */
export function hostileCall(text: string, message = text): TracedCall {
  const attributes = {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: text },
    resource: { group: '', version: 'v1', resource: 'pods' },
    ...{ subResource: '', name: text, namespace: text, dryRun: false },
  };
  const object = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: text, labels: { [text.slice(-100)]: text } } });
  const address = { host: '127.0.0.1', port: 443 };
  const call = {
    ...{
      phase: 'mutating' as const,
      configuration: 'hooks',
      webhook: 'hook.example.com',
      url: `https://127.0.0.1/?${text}`,
      serverName: text,
    },
    ...{ address, caBundle: undefined, timeoutSeconds: 10, deadlineMs: 10_000, apiVersion: 'admission.k8s.io/v1', uid: 'u', body: object },
  };
  const body = Buffer.from(JSON.stringify({ response: { allowed: false, status: { message } } }));
  const answer = { outcome: 'answered' as const, statusCode: 200, headers: [[text, text]] as const, body, durationMs: 1 };
  const webhook = {
    ...{
      phase: 'mutating' as const,
      round: 1,
      configuration: 'hooks',
      webhook: 'hook.example.com',
      attributes,
      outcome: 'denied' as const,
    },
    ...{ skipReason: undefined, sent: undefined, warnings: [text], auditAnnotations: { [text]: text }, patch: [], change: undefined },
    ...{
      status: { message, status: 'Failure' },
      failure: undefined,
      failurePolicy: 'Fail' as const,
      durationMs: 1,
      requestBody: object,
    },
  };
  const step = { phase: 'mutating' as const, round: 1 };
  return {
    report: {
      kubernetesVersion: 'v1.37',
      call: { method: 'POST', path: `/api/v1/namespaces/${text}/pods`, user: { username: text } },
      webhooks: [webhook],
      answer: { status: 403, warnings: [text], headers: {}, contentType: text, body: JSON.stringify({ message: text }) },
      decision: { allowed: false, code: 403, status: undefined, warnings: [text], auditAnnotations: { [text]: text }, object: undefined },
      notes: [text],
      timing: {
        durationMs: 3,
        steps: [
          { ...step, kind: 'decode', phase: 'request', name: '', startMs: 0, durationMs: 1, after: object },
          {
            ...step,
            kind: 'webhook',
            name: text,
            startMs: 1,
            durationMs: 2,
            webhook: 0,
            timeoutMs: 10_000,
            error: text,
            before: object,
            after: '{}',
          },
        ],
      },
    },
    kubectl: [message],
    exchanges: [{ call, answer }],
    findings: [{ check: 'idempotent', webhook: 'hook.example.com', message: text }],
    selection: () => [{ predicate: 'rules', wants: text, saw: text, decided: true }],
  };
}
