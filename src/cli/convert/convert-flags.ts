import { Flags, type Interfaces } from '@oclif/core';
import { callFlags } from '../flags/call-flags.js';
import { outputFlag } from '../flags/output-flags.js';
import { durationFlag } from '../flags/values.js';
import { webhookFlags } from '../flags/webhook-flags.js';

/** What `convert` is told: objects, definitions, and how to reach the webhook. */
export const convertFlags = {
  filename: callFlags.filename,
  recursive: callFlags.recursive,
  namespace: callFlags.namespace,
  case: callFlags.case,
  to: Flags.string({
    helpGroup: 'THE CONVERSION',
    helpValue: 'VERSION|all',
    multiple: true,
    multipleNonGreedy: true,
    description: 'the version to convert to; repeatable; all: every other version of the definition',
  }),
  'round-trip': Flags.boolean({
    helpGroup: 'THE CONVERSION',
    description: 'convert between every pair of versions and back, and tell what is lost',
  }),
  'review-versions': webhookFlags['review-versions'],
  url: Flags.string({
    helpGroup: 'THE WEBHOOK',
    helpValue: 'URL',
    description: 'the conversion webhook, instead of the one that the definition names',
  }),
  demo: Flags.boolean({ helpGroup: 'THE WEBHOOK', description: 'the embedded reference webhook' }),
  service: webhookFlags.service,
  resolve: webhookFlags.resolve,
  'ca-file': webhookFlags['ca-file'],
  'server-name': webhookFlags['server-name'],
  'insecure-skip-tls-verify': webhookFlags['insecure-skip-tls-verify'],
  'client-certificate': webhookFlags['client-certificate'],
  'client-key': webhookFlags['client-key'],
  'token-file': webhookFlags['token-file'],
  header: webhookFlags.header,
  'allow-http': webhookFlags['allow-http'],
  timeout: durationFlag({
    helpGroup: 'THE CONNECTION',
    minMs: 1,
    maxMs: 30_000,
    helpValue: '30s',
    description: 'give up earlier than the API server, which waits 30s',
  }),
  state: callFlags.state,
  'kubernetes-version': callFlags['kubernetes-version'],
  seed: callFlags.seed,
  now: callFlags.now,
  output: outputFlag(['text', 'yaml', 'json']),
};

export type ConvertFlags = Interfaces.InferredFlags<typeof convertFlags> & { readonly 'no-color'?: boolean | undefined };
