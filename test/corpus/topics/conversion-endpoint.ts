import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../../src/kubernetes/webhook-call.js';
import { createTransport } from '../../../src/transport/call-webhook.js';
import type { HttpScript, RawScript, Script } from '../../../src/webhook-server/script/script.js';
import { startScriptedEndpoint } from '../../../src/webhook-server/script/scripted-endpoint.js';
import { profileNamed } from '../../support/certificate-profiles.js';
import type { ProducedReview } from '../compare/reviews.js';
import { bodyFor, type ConversionReview } from './conversion-replies.js';

/** The webhooks of a case. */
export interface Endpoint {
  readonly callWebhook: CallWebhook;
  readonly received: readonly ProducedReview[];
  /** Objects that must exist for the endpoint to be found. */
  readonly objects: readonly unknown[];
  /** The cluster with the endpoint's own port and authority. */
  readonly place: (cluster: unknown) => unknown;
  /** Returns an answer's text with the recorded ports. */
  readonly unplace: (text: string) => string;
  readonly close: () => Promise<void>;
}

/** An endpoint without a network: each call uses the next recorded review of its path. */
export function playedEndpoint(reviews: readonly ConversionReview[]): Endpoint {
  const left = [...reviews];
  const received: ProducedReview[] = [];
  const callWebhook: CallWebhook = async call => {
    received.push({ path: pathOf(call), body: call.body });
    return answerOf(take(left, pathOf(call)), call);
  };
  return { callWebhook, received, objects: [], place: cluster => cluster, unplace: text => text, close: async () => undefined };
}

function take(left: ConversionReview[], path: string): ConversionReview | undefined {
  const found = left.findIndex(r => r.path === path || r.path === path.split('?')[0]);
  return found < 0 ? undefined : left.splice(found, 1)[0];
}

function pathOf(call: WebhookCall): string {
  return call.url.replace(/^https:\/\/[^/]*/, '');
}

function answerOf(review: ConversionReview | undefined, call: WebhookCall): WebhookAnswer {
  const reply = review?.reply;
  if (review === undefined || reply === undefined || reply.kind === 'close')
    return { outcome: 'failed', class: 'tcp', message: `Post "${call.url}": EOF`, durationMs: 0 };
  const headers = Object.entries(reply.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { outcome: 'answered', statusCode: reply.status ?? 200, headers, body: bodyFor(review, call.body), durationMs: 0 };
}

const troubles: Readonly<Record<string, string>> = {
  trusted: 'valid',
  'unknown-authority': 'unknown-ca',
  'wrong-host': 'dns-only',
  'wrong-ip': 'wrong-ip',
  'no-names': 'cn-ip',
  expired: 'expired',
  'not-yet-valid': 'not-yet-valid',
  'client-auth-only': 'client-auth-eku',
  'no-ca-bundle': 'valid',
  'two-cas-in-bundle': 'two-cas',
  'white-space-ca-bundle': 'white-space-bundle',
  'client-certificate-required': 'client-certificate-tls13',
};
const services: Readonly<Record<string, string>> = {
  service: 'conversion-service',
  'service-no-path': 'conversion-service',
  'service-wrong-name': 'localhost-only',
};
const plain: Readonly<Record<string, string>> = {
  'plain-http': '<!DOCTYPE HTML>\n<html><body>Error code: 400</body></html>\n',
  garbage: 'SSH-2.0-OpenSSH_9.6\r\n',
};

/** An endpoint on a real port; the first word of the group is the kind of fault. */
export async function realEndpoint(reviews: readonly ConversionReview[], group: string): Promise<Endpoint> {
  const word = group.split('.', 1)[0] ?? '';
  const trouble = word.startsWith('tls-') ? word.slice(4) : word;
  const answers: (HttpScript | RawScript)[] = [];
  const profile = profileNamed(services[word] ?? (word.startsWith('tls-') ? (troubles[trouble] ?? 'valid') : 'valid'));
  const endpoint = await startScriptedEndpoint(scriptOf(trouble, answers), profile);
  const transport = createTransport();
  let recordedPort = 8443;
  const bundle = Buffer.from(profileNamed(word.startsWith('tls-') ? (troubles[trouble] ?? 'valid') : 'valid').bundle).toString('base64');
  const objects =
    word.startsWith('service') && trouble !== 'service-missing' && trouble !== 'service-no-namespace'
      ? [
          {
            apiVersion: 'v1',
            kind: 'Service',
            metadata: { name: 'conv', namespace: 'hooks' },
            spec: { type: 'ExternalName', externalName: 'localhost' },
          },
        ]
      : [];
  return {
    callWebhook: call => {
      // The n-th request gets the n-th recorded reply, with the values of this call.
      for (const [i, review] of reviews.entries()) if (i >= endpoint.calls.length) answers[i] = scripted(review, call.body);
      return transport.callWebhook(call);
    },
    get received() {
      return endpoint.calls.map(({ path, body }) => ({ path, body: body.toString('utf8') }));
    },
    objects,
    place: cluster => placed(cluster, { port: endpoint.port, bundle, found: port => (recordedPort = port) }),
    unplace: text => text.replace(new RegExp(`(?<![0-9])${endpoint.port}(?![0-9])`, 'g'), String(recordedPort)),
    close: async () => {
      await transport.close();
      await endpoint.close();
    },
  };
}

function scriptOf(trouble: string, answers: (HttpScript | RawScript)[]): Script {
  if (trouble === 'refused') return { endpoint: { kind: 'refuse' } };
  if (trouble === 'closes') return { endpoint: { kind: 'connection', read: 'nothing', ending: 'close' } };
  const text = plain[trouble];
  if (text !== undefined)
    return { endpoint: { kind: 'connection', read: 'client-hello', bytesBase64: Buffer.from(text).toString('base64'), ending: 'close' } };
  return { endpoint: { kind: 'sequence', answers } };
}

function scripted(review: ConversionReview, received: string): HttpScript | RawScript {
  const { reply } = review;
  if (reply === undefined || reply.kind === 'close') return { kind: 'raw', bytes: '', ending: 'close' };
  const bytes = bodyFor(review, received);
  const script: HttpScript = {
    kind: 'http',
    status: reply.status ?? 200,
    headers: reply.headers ?? {},
    body: { base64: bytes.toString('base64') },
  };
  if (reply.kind === 'slow') return { ...script, delayMs: (reply.seconds ?? 0) * 1000 };
  return reply.kind === 'partial' ? { ...script, contentLength: 2 * bytes.length, ending: 'close' } : script;
}

interface Placing {
  readonly port: number;
  readonly bundle: string;
  readonly found: (port: number) => void;
}

function placed(value: unknown, to: Placing): unknown {
  if (Array.isArray(value)) return value.map(v => placed(v, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => {
      if (key === 'caBundle' && inside === 'Q0E=') return [key, to.bundle];
      if (key === 'url' && typeof inside === 'string') {
        const match = /:(8\d{3})\b/.exec(inside);
        if (match !== null) to.found(Number(match[1]));
        return [key, inside.replace(/(?<=\/\/)(127\.0\.0\.1|localhost):8\d{3}\b/, `$1:${to.port}`)];
      }
      if (key === 'port' && typeof inside === 'number' && inside > 8443) {
        to.found(inside);
        return [key, to.port];
      }
      return [key, placed(inside, to)];
    }),
  );
}
