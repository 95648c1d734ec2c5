import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { selectsByText, type TextRequirement } from '../../kubernetes/selector-text.js';
import { PlainError } from '../../kubernetes/status.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import type { ApiObject } from '../objects/api-object.js';
import { parseShardSelector, type ShardSelector, ShardSelectorError } from '../registry/shard-selector.js';
import { checkFieldLabel, fieldText } from './field-labels.js';
import { labelsOfShown } from './shown-object.js';
import type { StoreContext } from './store-context.js';

/** Objects of a collection that a call selects. */
export interface ListSelection {
  /** Selects only the object of this name. */
  readonly name: string | undefined;
  /** Whether there are no label or field selectors. */
  readonly isEverything: boolean;
  readonly matches: (object: ApiObject) => boolean;
  /** The ranges of hashes whose objects are selected; undefined for all. */
  readonly shards: string | undefined;
}

/** Term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

/** Returns the selection by labels, fields and shards. Throws a 400 for a field that the resource does not support, and for shards that cannot be parsed. */
export function listSelectionOf(
  {
    labels,
    fields,
    shardSelector,
  }: { readonly labels: readonly TextRequirement[]; readonly fields: readonly FieldRequirement[]; readonly shardSelector: string },
  { server, endpoint, definition }: Pick<StoreContext, 'server' | 'endpoint' | 'definition'>,
): ListSelection {
  for (const { field } of fields) checkFieldLabel(server, field, endpoint.resource, definition);
  const shards = shardsOf(server, shardSelector);
  const hasFields = (object: ValueMap): boolean =>
    fields.every(({ field, value, equal }) => (fieldText(server, object, field, endpoint.resource) === value) === equal) &&
    (shards === undefined || shards.matches(object));
  const isEverything = labels.length === 0 && fields.length === 0 && shards === undefined;
  const [named] = fields.filter(f => f.field === 'metadata.name' && f.equal && f.value !== '');
  return {
    name: named?.value,
    isEverything,
    matches: object =>
      isEverything ||
      (selectsByText(labels, labelsOfShown(object)) && ((fields.length === 0 && shards === undefined) || hasFields(object.value))),
    shards: shards?.text,
  };
}

/** Source: apiserver registry/store.go ListPredicate, WatchPredicate. */
function shardsOf(server: ApiServer, text: string): ShardSelector | undefined {
  if (text === '' || !server.isEnabled('ShardedListAndWatch')) return undefined;
  try {
    return parseShardSelector(text, server);
  } catch (error) {
    if (!(error instanceof ShardSelectorError)) throw error;
    const message = `invalid shard selector: ${error.message}`;
    throw server.since('v1.38') ? badRequest(message) : new PlainError(message);
  }
}

/**
 * Parses a field selector: `metadata.name=a,spec.nodeName!=b`. Throws a 400 with Go's message. Source: apimachinery fields.ParseSelector.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const terms = text.match(/(?:[^\\,]|\\[\s\S]?)+/g) ?? [];
  return [...terms].sort(compareBytes).map(term => {
    const match = /^([\s\S]*?)(!=|==|=)([\s\S]*)$/.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = '', operator = '', value = ''] = match;
    return { field, value: unescaped(value), equal: operator !== '!=' };
  });
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function unescaped(value: string): string {
  return value.replace(/\\([\s\S]?)|[,=]/gu, (found, escaped: string | undefined) => {
    if (escaped === undefined) throw badRequest(`invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    if (escaped !== '' && '\\,='.includes(escaped)) return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
  });
}
