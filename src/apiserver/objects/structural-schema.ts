import { isMap, listAt, stringAt, stringsAt, type Value, type ValueMap, valueAt } from '../../go/value.js';

/**
 * Structural part of a definition's OpenAPI schema. Validation reads the whole schema. Source: apiextensions-apiserver schema.Structural.
 */
export interface StructuralSchema {
  /** `object`, `array`, `string`, `integer`, `number`, `boolean`; empty for int-or-string and for any type. */
  readonly type: string;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** Schema of additional members; `true` keeps only scalars; undefined when none are allowed. */
  readonly additionalProperties: StructuralSchema | boolean | undefined;
  readonly items: StructuralSchema | undefined;
  readonly nullable: boolean;
  readonly default: Value | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  /** `atomic`, `set` or `map`, or an invalid text: defaults are checked even if their schema is invalid. */
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: 'atomic' | 'granular' | undefined;
  /** Schema as in the definition. */
  readonly source: ValueMap;
}

/** Returns the structural schema of one version of a definition, cached; an empty one for missing versions. */
export function structuralSchemaOf(definition: ValueMap, version: string): StructuralSchema {
  const known = schemas.get(definition) ?? new Map<string, StructuralSchema>();
  schemas.set(definition, known);
  const schema = known.get(version) ?? readSchema(definition, version);
  known.set(version, schema);
  return schema;
}

const schemas = new WeakMap<ValueMap, Map<string, StructuralSchema>>();

function readSchema(definition: ValueMap, version: string): StructuralSchema {
  const entry = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === version);
  const source = valueAt(entry, 'schema', 'openAPIV3Schema');
  return structural(isMap(source) ? source : new Map());
}

/** Reads a schema and all below it. */
export function structural(source: ValueMap): StructuralSchema {
  const properties = source.get('properties');
  const additional = source.get('additionalProperties');
  const items = source.get('items');
  const extension = (name: string): Value | undefined => source.get(`x-kubernetes-${name}`);
  return {
    type: stringAt(source, 'type'),
    properties: new Map(
      isMap(properties) ? [...properties].flatMap(([name, p]) => (isMap(p) ? [[name, structural(p)] as const] : [])) : [],
    ),
    additionalProperties: isMap(additional) ? structural(additional) : typeof additional === 'boolean' ? additional : undefined,
    items: isMap(items) ? structural(items) : undefined,
    nullable: source.get('nullable') === true,
    // A null default counts as absent.
    default: source.get('default') ?? undefined,
    preserveUnknownFields: extension('preserve-unknown-fields') === true,
    embeddedResource: extension('embedded-resource') === true,
    intOrString: extension('int-or-string') === true,
    listType: optionalText(extension('list-type')),
    listMapKeys: stringsAt(source, 'x-kubernetes-list-map-keys'),
    mapType: oneOf(extension('map-type'), ['atomic', 'granular']),
    source,
  };
}

/** Returns the schema of a member; undefined when the schema does not specify it. */
export function memberSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties: others } = schema;
  return properties.get(name) ?? (typeof others === 'object' ? others : undefined);
}

function optionalText(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function oneOf<T extends string>(value: Value | undefined, choices: readonly T[]): T | undefined {
  return choices.find(word => word === value);
}
