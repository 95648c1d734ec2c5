import type { RuleObserver } from './rule-part.js';
import type { CallWebhook } from './webhook-call.js';

/** What the line takes from the world outside: the call to a webhook, identities, the clock and chance. */
export interface Effects {
  readonly callWebhook: CallWebhook;
  /** A random version 4 UUID, lower case. */
  readonly uid: () => string;
  readonly now: () => Date;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Where a service is really listening, for those the user mapped; the state's Service objects decide otherwise. */
  readonly serviceAddress?: (service: ServiceName | undefined) => { readonly host: string; readonly port: number } | undefined;
  /** Hears which rules, conditions and validations the call reaches; absent: nobody counts them. */
  readonly observer?: RuleObserver | undefined;
  /** Milliseconds since the call arrived. */
  readonly elapsedMs: () => number;
}

/** A service as a client configuration names it. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Characters of generated names: no vowels, nothing that looks alike. Source: apimachinery util/rand. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** The random end of a generated name. */
export function randomSuffix(effects: Pick<Effects, 'random'>, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet[Math.floor(effects.random() * alphabet.length)];
  return text;
}
