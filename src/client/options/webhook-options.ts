import type { OptionTable, OptionValues } from './option.js';

const webhook = { group: 'WEBHOOK' } as const;
const connection = { group: 'CONNECTION' } as const;

/** Heading of the options that describe the webhook of `--url`, and have no effect without it. */
const registration = { group: 'REGISTRATION, WITH --url' } as const;

/** Entry of the webhook of `--url` in a webhook configuration. */
export const registrationOptions = {
  phase: {
    takes: 'word',
    choices: ['mutating', 'validating', 'both'],
    ...registration,
    description: 'the type of the webhook; mutating by default',
  },
  timeout: {
    takes: 'duration',
    unit: 'Seconds',
    minMs: 1000,
    maxMs: 30_000,
    ...registration,
    placeholder: '10s',
    description: 'timeoutSeconds, from 1s to 30s; 10s by default',
  },
  failurePolicy: { takes: 'word', choices: ['Fail', 'Ignore'], ...registration, description: 'failurePolicy; Fail by default' },
  sideEffects: {
    takes: 'word',
    choices: ['None', 'NoneOnDryRun', 'Some', 'Unknown'],
    ...registration,
    description: 'sideEffects; None by default',
  },
  reviewVersions: {
    takes: 'text',
    ...registration,
    placeholder: 'v1,v1beta1',
    description: 'admissionReviewVersions, separated by commas; v1 by default',
  },
  reinvocationPolicy: {
    takes: 'word',
    choices: ['Never', 'IfNeeded'],
    ...registration,
    description: 'reinvocationPolicy; Never by default',
  },
  matchCondition: {
    takes: 'texts',
    ...registration,
    placeholder: 'EXPR',
    description: 'a match condition in CEL; repeatable',
  },
} as const satisfies OptionTable;

/** How webhooks are reached. */
export const connectionOptions = {
  resolve: {
    takes: 'texts',
    ...connection,
    placeholder: 'HOST:PORT:ADDRESS',
    description: 'connect to this address for this host and port, as in curl; repeatable',
  },
  caFile: {
    takes: 'text',
    isPath: true,
    ...connection,
    placeholder: 'PATH',
    description: 'a file of certificates to trust, instead of every caBundle',
  },
  serverName: {
    takes: 'text',
    ...connection,
    placeholder: 'NAME',
    description: "the server name to verify in the webhook's certificate",
  },
  insecureSkipTlsVerify: { takes: 'switch', ...connection, description: 'accept any certificate; no API server does' },
  clientCertificate: {
    takes: 'text',
    isPath: true,
    ...connection,
    placeholder: 'PATH',
    description: 'a file with the client certificate of the API server',
  },
  clientKey: { takes: 'text', isPath: true, ...connection, placeholder: 'PATH', description: 'a file with its private key' },
  tokenFile: {
    takes: 'text',
    isPath: true,
    ...connection,
    placeholder: 'PATH',
    description: 'a file with the bearer token of the API server',
  },
  header: { takes: 'pairs', ...connection, placeholder: 'KEY=VALUE', description: 'an additional request header; repeatable' },
  allowHttp: { takes: 'switch', ...connection, description: 'allow http:// addresses; every API server refuses them' },
  allowRemote: {
    takes: 'switch',
    ...connection,
    description: 'call webhooks on other machines at the addresses in their configurations',
  },
  requestTimeout: {
    takes: 'duration',
    unit: 'Ms',
    minMs: 1,
    maxMs: 3_600_000,
    ...connection,
    placeholder: '34s',
    description: 'timeout of the whole call',
  },
} as const satisfies OptionTable;

/** Which webhooks exist and how to reach them. */
export const webhookOptions = {
  url: { takes: 'text', ...webhook, placeholder: 'URL', description: 'one webhook at this address that matches every call' },
  demo: { takes: 'switch', ...webhook, description: 'the embedded reference webhook, in both phases' },
  webhook: {
    takes: 'texts',
    ...webhook,
    placeholder: 'NAME',
    description: 'only these webhooks of the configurations in the state; repeatable',
  },
  service: {
    takes: 'pairs',
    ...webhook,
    placeholder: 'NS/NAME[:PORT]=URL',
    description: 'the address a service is listening at; * for any service; the server name stays NAME.NS.svc; repeatable',
  },
  urls: {
    takes: 'pairs',
    ...webhook,
    placeholder: 'URL=URL',
    description: 'where calls to the URL of a configuration go instead; the server name stays; repeatable',
  },
  ...registrationOptions,
  ...connectionOptions,
} as const satisfies OptionTable;

export const checkOptions = {
  check: {
    takes: 'text',
    ...webhook,
    placeholder: 'all|side-effects,idempotent,reinvocation,unknown-fields,order',
    description:
      'additional checks after the call, separated by commas; each can report findings; all: every check, and the update and the deletion of each object, too',
  },
} as const satisfies OptionTable;

/** Admission policies to compare the webhooks with. */
export const compareOptions = {
  compare: {
    takes: 'text',
    ...webhook,
    placeholder: 'URL|PATH',
    isPath: true,
    description:
      'send each review to this webhook too, or repeat each call with these admission policies instead of the webhooks; each difference is a finding',
  },
} as const satisfies OptionTable;

/** The answers of a real API server, to compare with. */
export const againstOptions = {
  againstCluster: {
    takes: 'switch',
    group: 'CLUSTER',
    description: 'compare each call with the answer of the cluster to a server-side dry run; each difference is a finding',
  },
} as const satisfies OptionTable;

/** Everything that describes webhooks and how to reach them. */
export type WebhookOptions = OptionValues<typeof webhookOptions>;
