import type { Value, ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

/** Members of a structural schema that expressions need. */
export interface RuleSchema {
  /** `object`, `array`, `string`, `integer`, `number`, `boolean`; empty for int-or-string and for any type. */
  readonly type: string;
  readonly properties: ReadonlyMap<string, RuleSchema>;
  readonly additionalProperties: RuleSchema | boolean | undefined;
  readonly items: RuleSchema | undefined;
  readonly nullable: boolean;
  readonly default: Value | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  /** `atomic`, `set` or `map`, or an invalid text: defaults are checked even if their schema is invalid. */
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  /** The schema as in the definition, with its value validations. */
  readonly source: ValueMap;
}

const nothing = {
  properties: new Map<string, RuleSchema>(),
  additionalProperties: undefined,
  items: undefined,
  nullable: false,
  default: undefined,
  preserveUnknownFields: false,
  embeddedResource: false,
  intOrString: false,
  listType: undefined,
  listMapKeys: [],
  source: new Map<string, Value>(),
};

const text: RuleSchema = { ...nothing, type: 'string' };

/** Since v1.37 names have a maximum length, which the cost of expressions depends on; a generated name is longer than its prefix. */
function metadataOf(known: RuleSchema | undefined, server: ApiServer | undefined): RuleSchema {
  const isLimited = server?.since('v1.37') === true;
  const name = (key: string, most: bigint): [string, RuleSchema] => [
    key,
    isLimited ? limited(text, lower(known?.properties.get(key)?.source.get('maxLength'), most)) : text,
  ];
  return { ...nothing, type: 'object', properties: new Map([name('name', maxName), name('generateName', maxName - 1n)]) };
}

const maxName = 253n;

function lower(own: Value | undefined, most: bigint): bigint {
  return typeof own === 'bigint' && own < most ? own : most;
}

function limited(schema: RuleSchema, maxLength: bigint): RuleSchema {
  return { ...schema, source: new Map<string, Value>([['maxLength', maxLength]]) };
}

/**
 * Schema of a whole object: kind, apiVersion and metadata are always declared. The server is needed for the length of names. Source: apiextensions-apiserver schema/cel/model
 * WithTypeAndObjectMeta.
 */
export function withTypeAndObjectMeta<S extends RuleSchema>(schema: S, server?: ApiServer): RuleSchema {
  const { properties } = schema;
  const isText = (of: RuleSchema | undefined, name: string): boolean => of?.properties.get(name)?.type === 'string';
  const meta = properties.get('metadata');
  const isKnown = isText(schema, 'kind') && isText(schema, 'apiVersion') && meta?.type === 'object';
  if (isKnown && isText(meta, 'name') && isText(meta, 'generateName')) return schema;
  const named: [string, RuleSchema][] = [
    ['kind', text],
    ['apiVersion', text],
    ['metadata', metadataOf(meta, server)],
  ];
  return { ...schema, items: undefined, properties: new Map([...properties, ...named]) };
}

/** Schema of additional properties; undefined when there is none. */
export function otherMembers<S extends { readonly additionalProperties: S | boolean | undefined }>({
  additionalProperties,
}: S): S | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
