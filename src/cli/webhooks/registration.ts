import { clientConfigErrors } from '../../apis/admissionregistration/webhook-configuration/webhook-client-config.js';
import { isMap, toValue, type ValueMap } from '../../go/value.js';
import { CliError } from '../cli-error.js';
import type { WebhookFlags } from '../flags/webhook-flags.js';

export type Phase = 'mutating' | 'validating';

/** One webhook to register, as the flags describe it. */
export interface Registration {
  readonly phase: Phase;
  readonly webhook: string;
  readonly url: string;
  /** PEM; undefined: the machine's own roots. */
  readonly caBundle: string | undefined;
}

const configurationName = 'webhook-cli';

/** What the webhook of `--url` is called: the API server wants three parts. */
export const urlWebhookName = 'webhook.webhook-cli.dev';
export const demoWebhookName = 'demo.webhook-cli.dev';

/** The webhook of `--url` in the phases it was asked for. */
export function urlRegistrations(flags: WebhookFlags, url: string, caBundle: string | undefined): Registration[] {
  checkUrl(url, flags);
  return phasesOf(flags).map(phase => ({ phase, webhook: urlWebhookName, url, caBundle }));
}

/** Where `--phase` wants the webhook registered. */
export function phasesOf(flags: WebhookFlags): readonly Phase[] {
  if (flags.phase === 'both') return ['mutating', 'validating'];
  return [flags.phase === 'validating' ? 'validating' : 'mutating'];
}

/** The configuration object a registration is posted as: it matches every call. */
export function configurationOf({ phase, webhook, url, caBundle }: Registration, flags: WebhookFlags): ValueMap {
  const entry = {
    name: webhook,
    clientConfig: { url, ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }) },
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }],
    failurePolicy: flags['failure-policy'] ?? 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: flags['side-effects'] ?? 'None',
    timeoutSeconds: Math.ceil((flags.timeout ?? 10_000) / 1000),
    admissionReviewVersions: (flags['review-versions'] ?? 'v1').split(','),
    ...(phase === 'mutating' ? { reinvocationPolicy: flags['reinvocation-policy'] ?? 'Never' } : {}),
    ...(flags['match-condition'] === undefined
      ? {}
      : { matchConditions: flags['match-condition'].map((expression, i) => ({ name: `condition-${i + 1}`, expression })) }),
  };
  const configuration = toValue({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: configurationName },
    webhooks: [entry],
  });
  if (!isMap(configuration)) throw new Error('a configuration is an object');
  return configuration;
}

/** Refuses an address that no API server calls. */
export function checkUrl(url: string, flags: Pick<WebhookFlags, 'allow-http'>): void {
  if (!URL.canParse(url))
    throw new CliError('usage', `--url is ${JSON.stringify(url)}, and must be an address such as https://127.0.0.1:8443/validate`);
  const { protocol } = new URL(url);
  const isHttp = protocol === 'http:' && flags['allow-http'] === true;
  if (protocol === 'https:' || isHttp) {
    // Not URL's own reading, which finds a host where the API server finds none.
    const wrong = clientConfigErrors(new Map([['url', isHttp ? url.replace(/^http:/i, 'https:') : url]]), 'url')[0];
    if (wrong === undefined) return;
    throw new CliError('usage', `--url is ${url}, and the API server refuses it: ${wrong.detail}`);
  }
  throw new CliError('usage', `--url is ${url}, and the API server calls webhooks by https only`, {
    suggestions: protocol === 'http:' ? ['pass --allow-http to call a development server all the same'] : ['write an https address'],
  });
}
