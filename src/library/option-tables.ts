import { argumentOptions, callOptions, inputOptions, serverOptions } from '../client/options/call-options.js';
import { checkOptions, webhookOptions } from '../client/options/webhook-options.js';

/** Options of the API call. */
export const libraryCallOptions = { ...callOptions, ...argumentOptions };

/** Options of the webhooks and how they are reached. */
export const libraryWebhookOptions = { ...webhookOptions, ...checkOptions };

/** Options of `loadState`. */
export const libraryStateOptions = { recursive: inputOptions.recursive, ...serverOptions };
