import { WireWriter } from '../../apiserver/objects/protobuf/wire-writer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';

/**
 * Encodes the definitions of an OpenAPI v2 document as gnostic's protobuf Document, which older clients use for validation and `explain`.
 * Paths are omitted. Source: google/gnostic openapiv2/OpenAPIv2.proto.
 */
export function openApiV2Protobuf(json: string): Uint8Array {
  const document = readUnstructured(json);
  const writer = new WireWriter();
  text(writer, 1, stringAt(document, 'swagger'));
  message(writer, 2, info => {
    text(info, 1, stringAt(document, 'info', 'title'));
    text(info, 2, stringAt(document, 'info', 'version'));
  });
  message(writer, 8, () => undefined);
  message(writer, 9, definitions => {
    for (const [name, schema] of mapAt(document, 'definitions') ?? []) named(definitions, name, schema);
  });
  return writer.finish();
}

function text(writer: WireWriter, number: number, value: string): void {
  if (value !== '') writer.text(number, value);
}

function message(writer: WireWriter, number: number, fill: (inner: WireWriter) => void): void {
  writer.message(number, () => fill(writer));
}

/** NamedSchema: name and value. */
function named(writer: WireWriter, name: string, schema: Value): void {
  message(writer, 1, entry => {
    text(entry, 1, name);
    message(entry, 2, inner => writeSchema(inner, schema));
  });
}

function writeSchema(writer: WireWriter, value: Value): void {
  if (!isMap(value)) return;
  text(writer, 1, stringAt(value, '$ref'));
  text(writer, 2, stringAt(value, 'format'));
  text(writer, 3, stringAt(value, 'title'));
  text(writer, 4, stringAt(value, 'description'));
  const fallback = value.get('default');
  if (fallback !== undefined) message(writer, 5, any => text(any, 2, writeYaml(fallback)));
  for (const name of listAt(value, 'required')) text(writer, 19, String(name));
  writeParts(writer, value);
}

function writeParts(writer: WireWriter, schema: ValueMap): void {
  const additional = schema.get('additionalProperties');
  if (isMap(additional)) message(writer, 21, item => message(item, 1, inner => writeSchema(inner, additional)));
  const type = stringAt(schema, 'type');
  if (type !== '') message(writer, 22, item => text(item, 1, type));
  const items = schema.get('items');
  if (isMap(items)) message(writer, 23, item => message(item, 1, inner => writeSchema(inner, items)));
  const properties = mapAt(schema, 'properties');
  if (properties !== undefined)
    message(writer, 25, inner => {
      for (const [name, property] of properties) named(inner, name, property);
    });
  for (const [key, extension] of schema) {
    if (!key.startsWith('x-')) continue;
    message(writer, 31, any => {
      text(any, 1, key);
      message(any, 2, inner =>
        text(inner, 2, writeYaml(isList(extension) || isMap(extension) ? extension : (valueAt(schema, key) ?? null))),
      );
    });
  }
}
