import {
  againstOptions,
  calledOptions,
  checkOptions,
  compareOptions,
  connectionOptions,
  forwardOptions,
  webhookOptions,
} from '../../client/options/webhook-options.js';
import { flagsOfOptions } from './option-flags.js';

/** Flags that describe webhooks and how to reach them. */
export const webhookFlags = flagsOfOptions(webhookOptions);

const connectionFlags = flagsOfOptions(connectionOptions);

/** The same for commands that send nothing: connection flags are accepted, but are not in the help. */
export const unsentWebhookFlags: typeof webhookFlags = Object.fromEntries(
  Object.entries(webhookFlags).map(([name, flag]) => [name, name in connectionFlags ? { ...flag, hidden: true } : flag]),
) as unknown as typeof webhookFlags;

export const checkFlags = flagsOfOptions(checkOptions);

export const calledFlags = flagsOfOptions(calledOptions);

export const compareFlags = flagsOfOptions(compareOptions);

export const againstFlags = flagsOfOptions(againstOptions);

export const forwardFlags = flagsOfOptions(forwardOptions);
