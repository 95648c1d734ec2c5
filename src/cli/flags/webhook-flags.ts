import { Flags, type Interfaces } from '@oclif/core';
import { durationFlag, wordFlag } from './values.js';

const many = { multiple: true, multipleNonGreedy: true } as const;
const webhook = { helpGroup: 'THE WEBHOOK' } as const;
const entry = { helpGroup: 'ITS REGISTRATION, WITH --url' } as const;
const connection = { helpGroup: 'THE CONNECTION' } as const;

/** What says which webhooks there are and how to reach them. */
export const webhookFlags = {
  url: Flags.string({ ...webhook, helpValue: 'URL', description: 'one webhook at this address that matches every call' }),
  demo: Flags.boolean({ ...webhook, description: 'the embedded reference webhook, in both phases' }),
  webhook: Flags.string({ ...webhook, ...many, helpValue: 'NAME', description: 'only these webhooks of the configurations in the state' }),
  service: Flags.string({
    ...webhook,
    ...many,
    helpValue: 'NS/NAME[:PORT]=URL',
    description: 'where a service is really listening; * for any; the server name stays NAME.NS.svc',
  }),
  phase: wordFlag({
    ...entry,
    words: ['mutating', 'validating', 'both'],
    helpValue: 'mutating|validating|both',
    description: 'what that webhook is; mutating by default',
  }),
  timeout: durationFlag({ ...entry, minMs: 1000, maxMs: 30_000, helpValue: '10s', description: "the webhook's timeoutSeconds, 1s to 30s" }),
  'failure-policy': wordFlag({
    ...entry,
    words: ['Fail', 'Ignore'],
    helpValue: 'Fail|Ignore',
    description: 'its failurePolicy; Fail by default',
  }),
  'side-effects': wordFlag({
    ...entry,
    words: ['None', 'NoneOnDryRun', 'Some', 'Unknown'],
    helpValue: 'None|NoneOnDryRun|Some|Unknown',
    description: 'its sideEffects; None by default',
  }),
  'review-versions': Flags.string({ ...entry, helpValue: 'v1,v1beta1', description: 'its admissionReviewVersions; v1 by default' }),
  'reinvocation-policy': wordFlag({
    ...entry,
    words: ['Never', 'IfNeeded'],
    helpValue: 'Never|IfNeeded',
    description: 'its reinvocationPolicy; Never by default',
  }),
  'match-condition': Flags.string({
    ...entry,
    ...many,
    helpValue: 'EXPR',
    description: 'a CEL expression that must be true for it to be called',
  }),
  resolve: Flags.string({
    ...connection,
    ...many,
    helpValue: 'HOST:PORT:ADDRESS',
    description: 'connect there for this host and port, as curl does',
  }),
  'ca-file': Flags.string({ ...connection, helpValue: 'PATH', description: 'certificates to trust, instead of every caBundle' }),
  'server-name': Flags.string({ ...connection, helpValue: 'NAME', description: "the name the webhook's certificate must have" }),
  'insecure-skip-tls-verify': Flags.boolean({ ...connection, description: 'accept any certificate, which no cluster does' }),
  'client-certificate': Flags.string({ ...connection, helpValue: 'PATH', description: 'the certificate the API server shows' }),
  'client-key': Flags.string({ ...connection, helpValue: 'PATH', description: 'its key' }),
  'token-file': Flags.string({ ...connection, helpValue: 'PATH', description: 'a file with the bearer token the API server sends' }),
  header: Flags.string({ ...connection, ...many, helpValue: 'KEY=VALUE', description: 'one more header of the request' }),
  'allow-http': Flags.boolean({ ...connection, description: 'allow http:// addresses, which every cluster refuses' }),
  'request-timeout': durationFlag({
    ...connection,
    minMs: 1,
    maxMs: 3_600_000,
    helpValue: '34s',
    description: 'how long the whole call may take',
  }),
};

/** Further questions to a webhook after the call. */
export const checkFlags = {
  check: Flags.string({
    helpGroup: 'THE WEBHOOK',
    helpValue: 'side-effects,idempotent,reinvocation,unknown-fields,order',
    description: 'further questions to the webhooks after the call, each of which may end in findings',
  }),
};

/** A rule in two forms. */
export const compareFlags = {
  compare: Flags.string({
    helpGroup: 'THE WEBHOOK',
    helpValue: 'PATH',
    description: 'make each call once more with these admission policies in place of the webhooks; what differs is a finding',
  }),
};

export type WebhookFlags = Interfaces.InferredFlags<typeof webhookFlags>;
