import { inputOptions } from '../../../client/options/call-options.js';
import { durationOption, free, type OptionTable, type OptionValues } from '../../../client/options/option.js';
import { connectionOptions, webhookOptions } from '../../../client/options/webhook-options.js';

const manyYears = { unit: 'Ms', minMs: 1, maxMs: 1_000_000_000_000 } as const;
const { group: _group, ...filename } = inputOptions.filename;
const { requestTimeout: _ofCalls, resolve, ...connection } = connectionOptions;

/** Options of `wait`. */
export const waitOptions = {
  filename: { ...filename, description: 'webhook configurations: a file, a folder, a glob or - for stdin' },
  recursive: inputOptions.recursive,
  url: webhookOptions.url,
  service: webhookOptions.service,
  urls: webhookOptions.urls,
  webhook: webhookOptions.webhook,
  timeout: { ...durationOption(manyYears), ...free, placeholder: '60s', description: 'how long to wait; 60s by default' },
  interval: { ...durationOption(manyYears), ...free, placeholder: '500ms', description: 'pause between two attempts; 500ms by default' },
  resolve,
  ...connection,
} as const satisfies OptionTable;

export type WaitFlags = OptionValues<typeof waitOptions>;
