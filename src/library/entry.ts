/**
 * Exports of `import ... from 'webhook-cli'`: the reviews of the command line as data, for test runners. They do not print, read flags or
 * configuration files, or load the command line.
 */
export { CliError, type CliErrorCode, type Location } from '../client/cli-error.js';
export type { CallOptions, WebhookOptions } from './flag-options.js';
export type {
  KubernetesObject,
  ManifestOptions,
  ReviewOptions,
  State,
  StateOptions,
} from './options.js';
export type { PlainObject, PlainValue, ReviewDecision, ReviewedWebhook, ReviewReport } from './report.js';
export { review, reviewAll } from './review.js';
export { loadState, type StateSource } from './state.js';
