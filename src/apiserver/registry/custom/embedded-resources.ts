import { shownValue } from '../../../encoding/shown-value.js';
import { writeValue } from '../../../go/json/write.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { childPath, keyPath } from '../../../kubernetes/field-path.js';
import { parseApiVersion } from '../../../kubernetes/group-version.js';
import { dns1035LabelProblems, dns1123LabelProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { DecodeError } from '../../objects/codec.js';
import { decodeTyped } from '../../objects/decode-typed.js';
import { memberSchema, type StructuralSchema } from '../../objects/structural-schema.js';
import { annotationErrors, finalizerErrors, generationErrors, labelErrors, ownerReferenceErrors } from '../object-meta.js';

/** Validates embedded resources in a custom resource. Source: apiextensions-apiserver schema/objectmeta/validation.go. */
export function embeddedResourceErrors(server: ApiServer, value: Value, schema: StructuralSchema, path = ''): FieldError[] {
  if (isList(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, i) => embeddedResourceErrors(server, item, items, `${path}[${i}]`));
  }
  if (!isMap(value)) return [];
  const own = schema.embeddedResource ? resourceErrors(server, value, path) : [];
  const below = [...value].flatMap(([name, member]) => {
    const of = memberSchema(schema, name);
    if (of === undefined) return [];
    return embeddedResourceErrors(server, member, of, schema.properties.has(name) ? childPath(path, name) : keyPath(path, name));
  });
  return [...own, ...below];
}

function resourceErrors(server: ApiServer, object: ValueMap, path: string): FieldError[] {
  const missing = ['apiVersion', 'kind'].filter(name => !object.has(name)).map(name => required(childPath(path, name), ''));
  return [
    ...missing,
    ...apiVersionErrors(object.get('apiVersion'), path),
    ...kindErrors(object.get('kind'), path),
    ...metadataErrors(server, object, path),
  ];
}

function apiVersionErrors(value: Value | undefined, path: string): FieldError[] {
  if (value === undefined) return [];
  const field = childPath(path, 'apiVersion');
  if (typeof value !== 'string') return [invalidValue(field, shownValue(value), 'must be a string')];
  if (value === '') return [invalidValue(field, value, 'must not be empty')];
  return parseApiVersion(value) === undefined ? [invalidValue(field, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindErrors(value: Value | undefined, path: string): FieldError[] {
  if (value === undefined) return [];
  const field = childPath(path, 'kind');
  if (typeof value !== 'string') return [invalidValue(field, shownValue(value), 'must be a string')];
  if (value === '') return [invalidValue(field, value, 'must not be empty')];
  const problems = dns1035LabelProblems(value.toLowerCase());
  return problems.length === 0
    ? []
    : [invalidValue(field, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

function metadataErrors(server: ApiServer, object: ValueMap, path: string): FieldError[] {
  const metadata = object.get('metadata');
  if (metadata === undefined) return [];
  const field = childPath(path, 'metadata');
  try {
    const { value } = decodeTyped(writeValue(metadata, 'kept'), structNamed(server, 'meta/v1.ObjectMeta'));
    return isMap(value) ? metaErrors(server, value, field) : [];
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [invalidValue(field, shownValue(metadata), error.message)];
  }
}

function metaErrors(server: ApiServer, metadata: ValueMap, field: string): FieldError[] {
  const problemsOf = (name: string, rule: (text: string) => string[]): FieldError[] => {
    const text = stringAt(metadata, name);
    return text === '' ? [] : rule(text).map(problem => invalidValue(`${field}.${name}`, text, problem));
  };
  return [
    ...problemsOf('generateName', pathSegmentProblems),
    ...problemsOf('name', pathSegmentProblems),
    ...problemsOf('namespace', dns1123LabelProblems),
    ...generationErrors(metadata, `${field}.generation`),
    ...labelErrors(server, mapAt(metadata, 'labels'), `${field}.labels`),
    ...annotationErrors(server, mapAt(metadata, 'annotations'), `${field}.annotations`),
    ...ownerReferenceErrors(server, listAt(metadata, 'ownerReferences'), `${field}.ownerReferences`),
    ...finalizerErrors(server, listAt(metadata, 'finalizers'), `${field}.finalizers`),
  ];
}
