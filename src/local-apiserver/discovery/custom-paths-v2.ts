import { compareKeys } from '../../go/key-order.js';
import { withDirectReferences } from './custom-openapi-v2.js';
import { isPlain, mapPlain, type Plain } from './plain-schema.js';
import { sortedMaps } from './schema-order.js';

/**
 * Returns paths of custom resources in OpenAPI v3 as OpenAPI v2 has them: a request's body is one of its parameters, and those among the
 * document's shared `parameters` are references to them. Source: kube-openapi pkg/builder
 * buildOperations, buildPaths.
 */
export function pathsV2(paths: Readonly<Plain>, shared: Readonly<Plain>): Plain {
  const names = new Map(Object.entries(shared).map(([name, parameter]) => [comparableText(parameter), name]));
  const listed = (parameters: readonly Plain[]): Plain[] => {
    const sorted = [...parameters].sort((a, b) => compareKeys(String(a['name']), String(b['name'])));
    return sorted.map(parameter => {
      const name = names.get(comparableText(parameter));
      return name === undefined ? parameter : { $ref: `#/parameters/${name}` };
    });
  };
  const member = (name: string, value: unknown): unknown =>
    name === 'parameters' ? listed(parametersOf(value)) : operationV2(value as Operation, listed);
  return mapPlain(paths, item => mapPlain(item as Plain, (value, name) => member(name, value)));
}

interface Operation extends Plain {
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}

function operationV2(operation: Operation, listed: (parameters: readonly Plain[]) => Plain[]): Plain {
  const { tags, description, operationId, parameters, requestBody, responses, ...extensions } = operation;
  const produces = mediaTypes(responses['200']);
  const all = [...parametersOf(parameters), ...(requestBody === undefined ? [] : [bodyParameter(requestBody)])];
  return {
    description,
    consumes: requestBody === undefined ? produces : mediaTypes(requestBody),
    produces,
    schemes: ['https'],
    tags,
    operationId,
    ...(all.length === 0 ? {} : { parameters: listed(all) }),
    responses: mapPlain(responses, ({ description: text, ...response }) => ({ description: text, ...schemaOf(response) })),
    ...(sortedMaps(extensions) as Plain),
  };
}

/** Media types in the order of the handlers: patches are listed from the oldest to the newest. */
function mediaTypes(body: Content | undefined): string[] {
  const types = Object.keys(body?.content ?? {});
  return [...types.filter(type => !type.includes('apply-patch')), ...types.filter(type => type.includes('apply-patch'))];
}

/** Every media type has the same schema. */
function schemaOf({ content = {} }: Content): Plain {
  const [first] = Object.values(content);
  return first === undefined ? {} : { schema: withDirectReferences(first.schema) };
}

function bodyParameter(body: Content & { readonly required?: boolean }): Plain {
  return { name: 'body', in: 'body', ...(body.required === true ? { required: true } : {}), ...schemaOf(body) };
}

/** Returns the parameters of a path or an operation, with the members of their schemas. */
function parametersOf(parameters: unknown): Plain[] {
  const list = Array.isArray(parameters) ? parameters.filter(isPlain) : [];
  return list.map(({ name, in: place, description, required, schema }) => {
    const { uniqueItems, type } = schema as Plain;
    return { uniqueItems, type, description, name, in: place, ...(required === true ? { required } : {}) };
  });
}

/** Equal for equal parameters, whatever the order of their members. */
function comparableText(parameter: unknown): string {
  return JSON.stringify(sortedMaps(parameter));
}
