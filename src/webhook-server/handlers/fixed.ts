import { copyOf } from '../../go/value.js';
import { ConversionRefused, type ObjectConverter } from '../answer-conversion.js';
import type { Handler } from '../handler.js';

/** Allows everything. */
export const allow: Handler = () => ({ allowed: true });

/** Refuses everything. */
export const deny: Handler = () => ({
  allowed: false,
  code: 403,
  reason: 'Forbidden',
  message: 'the reference webhook of webhook-cli denies everything',
});

/** Converts by changing only the apiVersion, as a definition without a webhook does. */
export const rename: ObjectConverter = (object, to) => copyOf(object).set('apiVersion', to);

/** Refuses every conversion. */
export const refuse: ObjectConverter = () => {
  throw new ConversionRefused('the reference webhook of webhook-cli converts nothing');
};
