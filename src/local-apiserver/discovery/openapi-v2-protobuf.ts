import { WireWriter } from '../../apiserver/objects/protobuf/wire-writer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { isMap, stringAt, type Value } from '../../go/value.js';
import {
  any,
  chosen,
  double,
  extensions,
  type Fields,
  flag,
  integer,
  list,
  message,
  named,
  text,
  type WriteField,
  wrapped,
  writeMessageFields,
} from './protobuf-fields.js';

/**
 * Encodes an OpenAPI v2 document as gnostic's protobuf Document, which older clients use for validation and `explain`.
 * Values of extensions are YAML; gnostic indents and quotes some of them differently. Source: google/gnostic-models openapiv2/OpenAPIv2.proto.
 */
export function openApiV2Protobuf(json: string): Uint8Array {
  const document = readUnstructured(json);
  const writer = new WireWriter(json.length);
  if (isMap(document)) writeMessageFields(writer, document, documentFields);
  return writer.finish();
}

const schema: WriteField = message(() => schemaFields);

const schemaFields: Fields = [
  [1, '$ref', text],
  [2, 'format', text],
  [3, 'title', text],
  [4, 'description', text],
  [5, 'default', any],
  [6, 'multipleOf', double],
  [7, 'maximum', double],
  [8, 'exclusiveMaximum', flag],
  [9, 'minimum', double],
  [10, 'exclusiveMinimum', flag],
  [11, 'maxLength', integer],
  [12, 'minLength', integer],
  [13, 'pattern', text],
  [14, 'maxItems', integer],
  [15, 'minItems', integer],
  [16, 'uniqueItems', flag],
  [17, 'maxProperties', integer],
  [18, 'minProperties', integer],
  [19, 'required', list(text)],
  [20, 'enum', list(any)],
  [21, 'additionalProperties', wrapped(1, schema)],
  [22, 'type', wrapped(1, text)],
  [23, 'items', wrapped(1, schema)],
  [24, 'allOf', list(schema)],
  [25, 'properties', wrapped(1, named(schema))],
  [29, 'externalDocs', message(() => documentationFields)],
  [30, 'example', any],
  [31, '...', extensions],
];

const documentationFields: Fields = [
  [1, 'description', text],
  [2, 'url', text],
];

const bodyParameter = message(() => [
  [1, 'description', text],
  [2, 'name', text],
  [3, 'in', text],
  [4, 'required', flag],
  [5, 'schema', schema],
]);

/** A parameter of the path; of the query, it has one field more, after the name. */
const pathParameter = message(() => [
  [1, 'required', flag],
  [2, 'in', text],
  [3, 'description', text],
  [4, 'name', text],
  [5, 'type', text],
  [6, 'format', text],
  [19, 'uniqueItems', flag],
]);

const queryParameter = message(() => [
  [1, 'required', flag],
  [2, 'in', text],
  [3, 'description', text],
  [4, 'name', text],
  [6, 'type', text],
  [7, 'format', text],
  [20, 'uniqueItems', flag],
]);

const parameter = chosen(value => {
  const place = stringAt(value, 'in');
  if (place === 'body') return wrapped(1, bodyParameter);
  return wrapped(2, place === 'path' ? wrapped(4, pathParameter) : wrapped(3, queryParameter));
});

const reference = message(() => [[1, '$ref', text]]);

const parameters = list(chosen(value => (hasReference(value) ? wrapped(2, reference) : wrapped(1, parameter))));

const response = message(() => [
  [1, 'description', text],
  [2, 'schema', wrapped(1, schema)],
]);

const operation = message(() => [
  [1, 'tags', list(text)],
  [3, 'description', text],
  [5, 'operationId', text],
  [6, 'produces', list(text)],
  [7, 'consumes', list(text)],
  [8, 'parameters', parameters],
  [9, 'responses', wrapped(1, named(wrapped(1, response)))],
  [10, 'schemes', list(text)],
  [11, 'deprecated', flag],
  [13, '...', extensions],
]);

const pathItem = message(() => [
  [2, 'get', operation],
  [3, 'put', operation],
  [4, 'post', operation],
  [5, 'delete', operation],
  [6, 'options', operation],
  [7, 'head', operation],
  [8, 'patch', operation],
  [9, 'parameters', parameters],
]);

const apiKey = message(() => [
  [1, 'type', text],
  [2, 'name', text],
  [3, 'in', text],
  [4, 'description', text],
]);

const documentFields: Fields = [
  [1, 'swagger', text],
  [
    2,
    'info',
    message(() => [
      [1, 'title', text],
      [2, 'version', text],
    ]),
  ],
  [8, 'paths', wrapped(2, named(pathItem))],
  [9, 'definitions', wrapped(1, named(schema))],
  [10, 'parameters', wrapped(1, named(parameter))],
  [12, 'security', list(wrapped(1, named(wrapped(1, list(text)))))],
  [13, 'securityDefinitions', wrapped(1, named(wrapped(2, apiKey)))],
];

function hasReference(value: Value): boolean {
  return isMap(value) && value.has('$ref');
}
