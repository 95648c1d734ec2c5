import { checkOptions, compareOptions, webhookOptions } from '../../client/options/webhook-options.js';
import { flagsOf } from './option-flags.js';

/** Flags that describe webhooks and how to reach them. */
export const webhookFlags = flagsOf(webhookOptions);

export const checkFlags = flagsOf(checkOptions);

export const compareFlags = flagsOf(compareOptions);
