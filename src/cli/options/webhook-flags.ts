import {
  againstOptions,
  calledOptions,
  checkOptions,
  compareOptions,
  connectionOptions,
  forwardOptions,
  webhookOptions,
} from '../../client/options/webhook-options.js';
import { flagsOf } from './option-flags.js';

/** Flags that describe webhooks and how to reach them. */
export const webhookFlags = flagsOf(webhookOptions);

const connectionFlags = flagsOf(connectionOptions);

/** The same for commands that send nothing: connection flags are accepted, but are not in the help. */
export const unsentWebhookFlags: typeof webhookFlags = Object.fromEntries(
  Object.entries(webhookFlags).map(([name, flag]) => [name, name in connectionFlags ? { ...flag, hidden: true } : flag]),
) as unknown as typeof webhookFlags;

export const checkFlags = flagsOf(checkOptions);

export const calledFlags = flagsOf(calledOptions);

export const compareFlags = flagsOf(compareOptions);

export const againstFlags = flagsOf(againstOptions);

export const forwardFlags = flagsOf(forwardOptions);
