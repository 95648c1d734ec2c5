import { goString } from '../../go/json/write.js';
import { parseInt64 } from '../../go/parse-integer.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, forbiddenField, notSupported } from '../../kubernetes/field-error.js';
import { parseSelectorText, SelectorTextError, type TextRequirement } from '../../kubernetes/selector-text.js';
import { badRequest, invalid } from '../../kubernetes/status-errors.js';
import type { Query } from '../call/request-info.js';
import { type FieldRequirement, parseFieldSelector } from './selection.js';

/** Options of a list, a watch or the deletion of a collection. */
export interface ListOptions {
  readonly labels: readonly TextRequirement[];
  readonly fields: readonly FieldRequirement[];
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** As sent; empty when absent. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: bigint | undefined;
  /** No limit when 0 or below. */
  readonly limit: bigint;
  /** Token of the previous page; empty for the first page. */
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
  /** As sent; empty when absent. */
  readonly shardSelector: string;
}

/**
 * Parses and validates the options of a query. Throws a 400 for an unreadable value, a 422 for conflicting options. Source: apimachinery
 * meta/internalversion, its conversions and validation.
 */
export function listOptionsOf(server: ApiServer, query: Query): ListOptions {
  const text = (name: string): string => query.get(name)?.[0] ?? '';
  const numbers = { timeoutSeconds: integerIn(query, 'timeoutSeconds'), limit: integerIn(query, 'limit') ?? 0n };
  const hasWatchList = server.isEnabled('WatchList');
  const given: ListOptions = {
    ...numbers,
    labels: labelsIn(server, text('labelSelector')),
    fields: parseFieldSelector(text('fieldSelector')),
    watch: flagIn(query, 'watch') ?? false,
    allowWatchBookmarks: flagIn(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    continue: text('continue'),
    sendInitialEvents: flagIn(query, 'sendInitialEvents'),
    shardSelector: text('shardSelector'),
  };
  const options = hasWatchList ? withDefaults(given) : given;
  const errors = options.watch ? watchErrors(options, hasWatchList) : listErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

/** Returns an integer parameter; undefined when absent. Throws a 400. Source: apimachinery runtime Convert_Slice_string_To_int64. */
export function integerIn(query: Query, name: string): bigint | undefined {
  const text = query.get(name)?.[0];
  if (text === undefined) return undefined;
  const parsed = parseInt64(text);
  if (typeof parsed === 'object') throw badRequest(parsed.error);
  return parsed;
}

/** Returns a boolean parameter, which is true unless `0` or `false`; undefined when absent. Source: Convert_Slice_string_To_bool. */
export function flagIn(query: Query, name: string): boolean | undefined {
  const text = query.get(name)?.[0];
  return text === undefined ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}

function labelsIn(server: ApiServer, text: string): readonly TextRequirement[] {
  try {
    return parseSelectorText(server, text);
  } catch (error) {
    if (error instanceof SelectorTextError) throw badRequest(error.message);
    throw error;
  }
}

const notOlderThan = 'NotOlderThan';

/** Adds the default options: a watch from resource version 0 sends the existing objects first. */
function withDefaults(options: ListOptions): ListOptions {
  const { watch, resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const isLegacy = resourceVersion === '' || resourceVersion === '0';
  if (sendInitialEvents !== undefined || resourceVersionMatch !== '' || !watch || !isLegacy) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: notOlderThan };
}

function listErrors(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  const refuse = (detail: string): FieldError => forbiddenField('resourceVersionMatch', `resourceVersionMatch ${detail}`);
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') errors.push(refuse('is forbidden unless resourceVersion is provided'));
    if (options.continue !== '') errors.push(refuse('is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== notOlderThan)
      errors.push(notSupported('resourceVersionMatch', { rawJson: goString(match) }, ['Exact', notOlderThan, '']));
    if (match === 'Exact' && resourceVersion === '0') errors.push(refuse('"exact" is forbidden for resourceVersion "0"'));
  }
  if (options.sendInitialEvents !== undefined) errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors(options: ListOptions, hasWatchList: boolean): FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const refuse = (detail: string): FieldError => forbiddenField('resourceVersionMatch', detail);
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== notOlderThan)
    errors.push(refuse(`sendInitialEvents requires setting resourceVersionMatch to ${notOlderThan}`));
  if (sendInitialEvents !== undefined && !hasWatchList)
    errors.push(
      forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'),
    );
  if (match === '') return errors;
  if (sendInitialEvents === undefined)
    errors.push(refuse('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (match !== notOlderThan) errors.push(notSupported('resourceVersionMatch', { rawJson: goString(match) }, [notOlderThan]));
  if (options.continue !== '') errors.push(refuse('resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}
