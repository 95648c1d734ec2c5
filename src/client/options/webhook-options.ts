import { defaultTimeoutSeconds } from '../../kubernetes/webhook-call.js';
import { resolveValue, serviceValue, urlOrPathValue, urlsValue, urlValue } from './address-values.js';
import { callCheckNames, checksValue } from './call-checks.js';
import {
  durationOption,
  free,
  many,
  type OptionTable,
  type OptionValues,
  one,
  onOff,
  pairs,
  path,
  textOption,
  textsOption,
  word,
} from './option.js';
import { headerValue } from './pair-values.js';

const webhook = { group: 'WEBHOOK' } as const;
const connection = { group: 'CONNECTION' } as const;

/** Heading of the options that describe the webhook of `--url`, and have no effect without it. */
const registration = { group: 'REGISTRATION, WITH --url' } as const;

/** Entry of the webhook of `--url` in a webhook configuration. */
export const registrationOptions = {
  phase: {
    ...word('mutating', 'validating', 'both'),
    ...registration,
    ...free,
    description: 'the type of the webhook; mutating by default',
  },
  timeout: {
    ...free,
    ...durationOption({ unit: 'Seconds', minMs: 1000, maxMs: 30_000 }),
    ...registration,
    placeholder: `${defaultTimeoutSeconds}s`,
    description: `timeoutSeconds, from 1s to 30s; ${defaultTimeoutSeconds}s by default`,
  },
  failurePolicy: { ...word('Fail', 'Ignore'), ...registration, ...free, description: 'failurePolicy; Fail by default' },
  sideEffects: {
    ...word('None', 'NoneOnDryRun', 'Some', 'Unknown'),
    ...registration,
    ...free,
    description: 'sideEffects; None by default',
  },
  reviewVersions: {
    ...textOption,
    ...registration,
    ...free,
    placeholder: 'v1,v1beta1',
    description: 'admissionReviewVersions, separated by commas; v1 by default',
  },
  reinvocationPolicy: { ...word('Never', 'IfNeeded'), ...registration, ...free, description: 'reinvocationPolicy; Never by default' },
  matchCondition: { ...textsOption, ...registration, ...free, placeholder: 'EXPR', description: 'a match condition in CEL; repeatable' },
} as const satisfies OptionTable;

/** How webhooks are reached. */
export const connectionOptions = {
  resolve: {
    ...many(resolveValue),
    ...connection,
    risk: 'address',
    placeholder: 'HOST:PORT:ADDRESS',
    description: 'connect to this address for this host and port, as in curl; repeatable',
  },
  caFile: {
    ...path,
    ...connection,
    risk: 'certificates',
    placeholder: 'PATH',
    description: 'a file of certificates to trust, instead of every caBundle',
  },
  serverName: {
    ...textOption,
    ...connection,
    risk: 'connection',
    placeholder: 'NAME',
    description: "the server name to verify in the webhook's certificate",
  },
  insecureSkipTlsVerify: { ...onOff, ...connection, risk: 'connection', description: 'accept any certificate; no API server does' },
  clientCertificate: {
    ...path,
    ...connection,
    placeholder: 'PATH',
    description: 'a file with the client certificate of the API server',
  },
  clientKey: { ...path, ...connection, placeholder: 'PATH', description: 'a file with its private key' },
  tokenFile: {
    ...path,
    ...connection,
    placeholder: 'PATH',
    description: 'a file with the bearer token of the API server',
  },
  header: {
    ...pairs(headerValue),
    ...connection,
    risk: 'connection',
    placeholder: 'KEY=VALUE',
    description: 'an additional request header; repeatable',
  },
  allowHttp: { ...onOff, ...connection, risk: 'connection', description: 'allow http:// addresses; every API server refuses them' },
  allowRemote: {
    ...onOff,
    ...connection,
    risk: 'remote',
    description: 'call webhooks on other machines at the addresses in their configurations',
  },
  requestTimeout: {
    ...free,
    ...durationOption({ unit: 'Ms', minMs: 1, maxMs: 3_600_000 }),
    ...connection,
    placeholder: '34s',
    description: 'timeout of the whole call',
  },
} as const satisfies OptionTable;

/** Which webhooks exist and how to reach them. */
export const webhookOptions = {
  url: {
    ...one(urlValue),
    ...webhook,
    risk: 'address',
    placeholder: 'URL',
    description: 'one webhook at this address that matches every call',
  },
  demo: { ...onOff, ...webhook, ...free, description: 'the embedded reference webhook, in both phases' },
  webhook: {
    ...textsOption,
    ...webhook,
    ...free,
    placeholder: 'NAME',
    description: 'only these webhooks of the configurations in the state; repeatable',
  },
  service: {
    ...pairs(serviceValue),
    ...webhook,
    risk: 'address',
    placeholder: 'NS/NAME[:PORT]=URL',
    description: 'the address a service is listening at; * for any service; the server name stays NAME.NS.svc; repeatable',
  },
  urls: {
    ...pairs(urlsValue),
    ...webhook,
    placeholder: 'URL=URL',
    description: 'where calls to the URL of a configuration go instead; the server name stays; repeatable',
  },
  ...registrationOptions,
  ...connectionOptions,
} as const satisfies OptionTable;

export const checkOptions = {
  check: {
    ...one(checksValue),
    ...webhook,
    ...free,
    placeholder: `all|${callCheckNames.join(',')}`,
    description:
      'additional checks after the call, separated by commas; each can report findings; all: every check, and the update and the deletion of each object, too',
  },
} as const satisfies OptionTable;

/** What an allowed call may hide. */
export const calledOptions = {
  requireCalled: {
    ...onOff,
    ...webhook,
    ...free,
    description: 'exit with 1 for a call about which no webhook was asked, or that passes only because a failed webhook is ignored',
  },
} as const satisfies OptionTable;

/** Admission policies to compare the webhooks with. */
export const compareOptions = {
  compare: {
    ...one(urlOrPathValue),
    ...webhook,
    risk: 'address',
    placeholder: 'URL|PATH',
    isPath: true,
    description:
      'send each review to this webhook too, or repeat each call with these admission policies instead of the webhooks; each difference is a finding',
  },
} as const satisfies OptionTable;

/** The answers of a real API server, to compare with. */
export const againstOptions = {
  againstCluster: {
    ...onOff,
    group: 'CLUSTER',
    risk: 'remote',
    description: 'compare each call with the answer of the cluster to a server-side dry run; each difference is a finding',
  },
} as const satisfies OptionTable;

/** Calls into the cluster. */
export const forwardOptions = {
  forward: {
    ...onOff,
    group: 'CLUSTER',
    risk: 'remote',
    description:
      'call the webhooks that run in the cluster through its API server, as kubectl port-forward does; their reviews are dry runs',
  },
} as const satisfies OptionTable;

export type RegistrationFlags = OptionValues<typeof registrationOptions>;

/** Everything that describes webhooks and how to reach them. */
export type WebhookFlagOptions = OptionValues<typeof webhookOptions>;
