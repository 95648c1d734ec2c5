import { isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type Selector, SelectorError, selectorOf } from '../../kubernetes/label-selector.js';
import { memoize } from '../../kubernetes/memoize.js';
import { internalError } from '../../kubernetes/status-errors.js';

/** Parsed selector of a configuration, or the error of one that is invalid. */
export type ReadSelector = Selector | { readonly error: Error };

/** Result of a selector; an error only counts when the webhook's rules match. */
export type SelectorMatch = 'yes' | 'no' | { readonly error: Error };

/** Parses a selector, once. Configurations from files may be invalid. */
export function readSelector(server: ApiServer, value: Value): ReadSelector {
  return isMap(value) ? readOnce(server)(value) : readOrError(server, value);
}

const readOnce = memoize((server: ApiServer) => memoize((selector: ValueMap) => readOrError(server, selector)));

function readOrError(server: ApiServer, value: Value): ReadSelector {
  try {
    return selectorOf(server, value);
  } catch (error) {
    if (error instanceof SelectorError) return { error: internalError(error.message) };
    throw error;
  }
}
