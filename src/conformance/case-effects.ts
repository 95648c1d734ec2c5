import type { Effects } from '../kubernetes/effects.js';
import type { CallWebhook } from '../kubernetes/webhook-call.js';

/** Side effects of a case's calls, given how webhooks are called. */
export type CaseEffects = (callWebhook: CallWebhook) => Effects;
