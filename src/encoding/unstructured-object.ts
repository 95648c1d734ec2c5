import { isNullNode, type JsonArray, type JsonNode, jsonKind } from '../go/json/node.js';
import { readJson } from '../go/json/reader.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../go/value.js';
import { JsonTypeError, unstructuredOf } from './unstructured.js';

/** JSON that is not an object with a kind; the message is Go's. */
export class UnstructuredError extends Error {
  override readonly name = 'UnstructuredError';
}

/**
 * Parses an object without a Go type, such as a custom resource. With a member `items` it is a list, whose items inherit version and kind
 * from the list if they have neither. `known` is the parsed text, if there is one. Throws JsonSyntaxError, JsonTypeError, or
 * UnstructuredError if the kind is missing. Source: apimachinery unstructured UnstructuredJSONScheme.
 */
export function readUnstructuredObject(text: string, known?: JsonNode): ValueMap {
  const node = known ?? readJson(text);
  if (node.type !== 'object' && !isNullNode(node)) throw mismatch(node, 'Go value of type unstructured.detector');
  const given = node.type === 'object' ? node.members.filter(member => member.key === 'items').map(member => member.value) : [];
  const noList = given.find(value => value.type !== 'array' && !isNullNode(value));
  if (noList !== undefined) throw mismatch(noList, 'Go struct field decodeList.items of type []json.RawMessage');
  const items = given.at(-1);
  const object = objectOf(node);
  if (items !== undefined) {
    object.set('items', items.type === 'array' ? itemsOf(items, object) : []);
  }
  if (stringAt(object, 'kind') === '') throw new UnstructuredError(`Object 'Kind' is missing in '${text}'`);
  return object;
}

/**
 * Returns the object that `readUnstructuredObject` reads from the JSON of a value, which it changes; undefined where that throws, or where the
 * items of a list are not objects.
 */
export function unstructuredObjectOf(value: Value): ValueMap | undefined {
  if (!isMap(value) || stringAt(value, 'kind') === '') return undefined;
  const items = value.get('items');
  if (items === undefined) return value;
  if (!isList(items) || !items.every(isMap)) return undefined;
  for (const item of items) inheritKind(item, value);
  return value;
}

function mismatch(node: JsonNode, target: string): JsonTypeError {
  return new JsonTypeError(`json: cannot unmarshal ${jsonKind(node)} into ${target}`);
}

/** Parses null as an empty object. */
function objectOf(node: JsonNode): ValueMap {
  const value: Value = unstructuredOf(node);
  if (isMap(value)) return value;
  if (value !== null) throw mismatch(node, 'Go value of type map[string]interface {}');
  return new Map();
}

function itemsOf(items: JsonArray, list: ValueMap): ValueMap[] {
  return items.items.map(item => inheritKind(objectOf(item), list));
}

function inheritKind(object: ValueMap, list: ValueMap): ValueMap {
  if (stringAt(object, 'kind') === '' && stringAt(object, 'apiVersion') === '') {
    const listKind = stringAt(list, 'kind');
    object.set('kind', listKind.endsWith('List') ? listKind.slice(0, -'List'.length) : listKind);
    object.set('apiVersion', stringAt(list, 'apiVersion'));
  }
  return object;
}
