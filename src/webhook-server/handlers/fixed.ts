import type { Handler } from '../handler.js';

/** Lets everything pass. */
export const allow: Handler = () => ({ allowed: true });

/** Refuses everything. */
export const deny: Handler = () => ({
  allowed: false,
  code: 403,
  reason: 'Forbidden',
  message: 'the reference webhook of webhook-cli denies everything',
});
