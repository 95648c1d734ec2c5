import type { Value, ValueMap } from '../../go/value.js';

/** What expressions need to know of a structural schema. */
export interface RuleSchema {
  /** `object`, `array`, `string`, `integer`, `number`, `boolean`; empty for int-or-string and for anything. */
  readonly type: string;
  readonly properties: ReadonlyMap<string, RuleSchema>;
  readonly additionalProperties: RuleSchema | boolean | undefined;
  readonly items: RuleSchema | undefined;
  readonly nullable: boolean;
  readonly default: Value | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys: readonly string[];
  /** The schema as the definition has it, with the rules for values. */
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

const metadata: RuleSchema = {
  ...nothing,
  type: 'object',
  properties: new Map([
    ['name', text],
    ['generateName', text],
  ]),
};

/** The schema of a whole object: its kind, version and names are always known. Source: apiextensions-apiserver schema/cel/model WithTypeAndObjectMeta. */
export function withTypeAndObjectMeta<S extends RuleSchema>(schema: S): RuleSchema {
  const { properties } = schema;
  const isText = (of: RuleSchema | undefined, name: string): boolean => of?.properties.get(name)?.type === 'string';
  const meta = properties.get('metadata');
  const isKnown = isText(schema, 'kind') && isText(schema, 'apiVersion') && meta?.type === 'object';
  if (isKnown && isText(meta, 'name') && isText(meta, 'generateName')) return schema;
  const named: [string, RuleSchema][] = [
    ['kind', text],
    ['apiVersion', text],
    ['metadata', metadata],
  ];
  return { ...schema, items: undefined, properties: new Map([...properties, ...named]) };
}

/** The schema of members that are not named; undefined when there is none, or none is known. */
export function otherMembers<S extends { readonly additionalProperties: S | boolean | undefined }>({
  additionalProperties,
}: S): S | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
