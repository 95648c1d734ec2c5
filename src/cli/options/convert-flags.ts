import { inputOptions } from '../../client/options/call-options.js';
import { conversionOptions } from '../../client/options/conversion-options.js';
import { durationOption, free, type OptionValues } from '../../client/options/option.js';
import { forwardOptions, webhookOptions } from '../../client/options/webhook-options.js';
import { kustomizeOption } from './kustomize-option.js';
import { flagsOfOptions } from './option-flags.js';
import { outputOption } from './output-options.js';

const { url, urls, demo, service, resolve, header } = webhookOptions;

/** Options of the command `convert`. */
const convertOptions = {
  ...conversionOptions,
  case: inputOptions.case,
  url: { ...url, description: 'the conversion webhook, instead of the one that the definition names' },
  demo: { ...demo, description: 'the embedded reference webhook' },
  reviewVersions: { ...webhookOptions.reviewVersions, group: url.group, description: 'conversionReviewVersions; v1 by default' },
  service,
  ...forwardOptions,
  urls: { ...urls, description: 'where calls to the URL of a definition go instead; the server name stays; repeatable' },
  resolve,
  caFile: webhookOptions.caFile,
  serverName: webhookOptions.serverName,
  insecureSkipTlsVerify: webhookOptions.insecureSkipTlsVerify,
  clientCertificate: webhookOptions.clientCertificate,
  clientKey: webhookOptions.clientKey,
  tokenFile: webhookOptions.tokenFile,
  header,
  allowHttp: webhookOptions.allowHttp,
  allowRemote: webhookOptions.allowRemote,
  timeout: {
    ...durationOption({ unit: 'Ms', minMs: 1, maxMs: 30_000 }),
    ...free,
    group: resolve.group,
    placeholder: '30s',
    description: 'a shorter timeout than that of the API server, which is 30s',
  },
  kustomize: kustomizeOption('CALL'),
  output: outputOption(['text', 'yaml', 'json']),
} as const;

export const convertFlags = flagsOfOptions(convertOptions);

export type ConvertFlags = OptionValues<typeof convertOptions> & { readonly noColor?: boolean | undefined };
