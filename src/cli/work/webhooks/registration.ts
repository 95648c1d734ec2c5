import { CliError } from '../../../client/cli-error.js';
import type { RegistrationFlags, WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { isMap, toValue, type ValueMap } from '../../../go/value.js';
import { defaultTimeoutSeconds } from '../../../kubernetes/webhook-call.js';

export type RegistrationPhase = 'mutating' | 'validating';

/** Registration of one webhook. */
export interface Registration {
  readonly phase: RegistrationPhase;
  readonly webhook: string;
  readonly url: string;
  /** PEM; undefined: the system's roots. */
  readonly caBundle: Uint8Array | undefined;
}

const configurationName = 'webhook-cli';

/** Name of the webhook of `--url`: the API server requires three parts. */
export const urlWebhookName = 'webhook.webhook-cli.dev';
export const demoWebhookName = 'demo.webhook-cli.dev';

/** Address of a webhook that is never called. */
export const unsentUrl = 'https://webhook.example.com/';

/** Registrations of the demo webhook for commands that send nothing. */
export const unsentDemo: readonly Registration[] = (['mutating', 'validating'] as const).map(phase => ({
  phase,
  webhook: demoWebhookName,
  url: unsentUrl,
  caBundle: undefined,
}));

type PhaseFlag = Pick<RegistrationFlags, 'phase'>;
type SchemeFlag = Pick<WebhookFlagOptions, 'allowHttp'>;

/** Returns the registrations of the webhook of `--url`. */
export function urlRegistrations(flags: PhaseFlag & SchemeFlag, url: string, caBundle: Uint8Array | undefined): Registration[] {
  checkScheme(url, flags);
  return phasesOf(flags).map(phase => ({ phase, webhook: urlWebhookName, url, caBundle }));
}

/** Returns the phases of `--phase`. */
export function phasesOf(flags: PhaseFlag): readonly RegistrationPhase[] {
  if (flags.phase === 'both') return ['mutating', 'validating'];
  return [flags.phase === 'validating' ? 'validating' : 'mutating'];
}

/** Returns the webhook configuration of a registration: it matches every call. */
export function configurationOf({ phase, webhook, url, caBundle }: Registration, flags: RegistrationFlags): ValueMap {
  const entry = {
    name: webhook,
    clientConfig: { url, ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }) },
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }],
    failurePolicy: flags.failurePolicy ?? 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: flags.sideEffects ?? 'None',
    timeoutSeconds: flags.timeoutSeconds ?? defaultTimeoutSeconds,
    admissionReviewVersions: (flags.reviewVersions ?? 'v1').split(','),
    ...(phase === 'mutating' ? { reinvocationPolicy: flags.reinvocationPolicy ?? 'Never' } : {}),
    ...(flags.matchCondition === undefined
      ? {}
      : { matchConditions: flags.matchCondition.map((expression, i) => ({ name: `condition-${i + 1}`, expression })) }),
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

/** Throws CliError for an address with http that is not allowed: no API server calls it. */
export function checkScheme(url: string, { allowHttp }: SchemeFlag, flag = 'url'): void {
  if (allowHttp === true || !/^http:/i.test(url)) return;
  throw new CliError('usage', `invalid --${flag} ${JSON.stringify(url)}: the API server calls webhooks only over https`, {
    suggestions: ['pass --allow-http to call a development server anyway'],
  });
}
