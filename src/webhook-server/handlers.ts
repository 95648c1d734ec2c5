import type { ObjectConverter } from './answer-conversion.js';
import type { Handler } from './handler.js';
import { demo } from './handlers/demo.js';
import { allow, deny, refuse, rename } from './handlers/fixed.js';
import { offers } from './handlers/offers.js';

/** The built-in handlers by the names of `serve --handler`. */
export const handlers = { allow, deny, demo } satisfies Record<string, Handler>;

export type HandlerName = keyof typeof handlers;

/** Object converters of these handlers. */
export const converters = { allow: rename, deny: refuse, demo: offers } satisfies Record<HandlerName, ObjectConverter>;
