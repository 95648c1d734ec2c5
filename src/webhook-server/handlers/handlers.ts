import { copyOf } from '../../go/value.js';
import { ConversionRefused, type ObjectConverter } from '../answer-conversion.js';
import type { HandlerCase } from '../handler.js';
import { demo } from './demo.js';
import { offers } from './offers.js';

/** Allows everything. */
const allow: HandlerCase = () => ({ allowed: true });

/** Refuses everything. */
const deny: HandlerCase = () => ({
  allowed: false,
  code: 403,
  reason: 'Forbidden',
  message: 'the reference webhook of webhook-cli denies everything',
});

/** Converts by changing only the apiVersion, as a definition without a webhook does. */
const rename: ObjectConverter = (object, to) => copyOf(object).set('apiVersion', to);

/** Refuses every conversion. */
const refuse: ObjectConverter = () => {
  throw new ConversionRefused('the reference webhook of webhook-cli converts nothing');
};

/** The built-in handlers by the names of `serve --handler`. */
export const handlers = { allow, deny, demo } satisfies Record<string, HandlerCase>;

export type HandlerName = keyof typeof handlers;

/** Object converters of these handlers. */
export const converters = { allow: rename, deny: refuse, demo: offers } satisfies Record<HandlerName, ObjectConverter>;
