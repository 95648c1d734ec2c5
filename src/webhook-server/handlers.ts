import type { Handler } from './handler.js';
import { demo } from './handlers/demo.js';
import { allow, deny } from './handlers/fixed.js';

/** The built-in handlers by the names of `serve --handler`. */
export const handlers = { allow, deny, demo } satisfies Record<string, Handler>;

export type HandlerName = keyof typeof handlers;

export const handlerNames: readonly HandlerName[] = ['allow', 'deny', 'demo'];
