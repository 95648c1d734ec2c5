import { servedBy } from '../../apiserver/call/served-resources.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { AdmissionEffects } from '../diagnostics/admission.js';
import { type FieldType, type TypedField, textOfType, typeAt } from '../types/field-type.js';
import type { ObjectAround } from './object-around.js';
import type { Suggestion, Suggestions } from './suggestion.js';
import { askForSupportedValues } from './supported-values.js';

/** Returns the fields or values that may be written at a place of a manifest. */
export async function suggestYaml(
  around: ObjectAround,
  { state, effects }: { readonly state: ClusterState; readonly effects: AdmissionEffects },
): Promise<Suggestions> {
  const { place, document } = around;
  const start = document.start + place.start;
  const end = document.start + place.end;
  const isJson = document.text.trimStart().startsWith('{');
  const items = place.position === 'key' ? keySuggestions(around, isJson) : await suggestValues(around, { state, effects });
  return { start, end, items };
}

/** Returns the fields that may be written at a place. */
export function keySuggestions({ place, type, path }: ObjectAround, isJson: boolean): Suggestion[] {
  const written = place.frame?.keys ?? new Set();
  if (type === undefined) {
    const basics = ['apiVersion', 'kind', 'metadata'].filter(name => path.length === 0 && !written.has(name));
    const text: FieldType = { kind: 'leaf', leaf: 'string', text: 'string' };
    return basics.map(name => fieldSuggestion(name, { type: text, isRequired: true }, { isJson, hasColon: place.hasColon }));
  }
  const here = typeAt(type, path);
  if (here?.kind !== 'struct') return [];
  return [...here.fields()]
    .filter(([name]) => !written.has(name))
    .map(([name, field]) => fieldSuggestion(name, field, { isJson, hasColon: place.hasColon }));
}

interface KeyStyle {
  readonly isJson: boolean;
  readonly hasColon: boolean;
}

function fieldSuggestion(name: string, field: TypedField, { isJson, hasColon }: KeyStyle): Suggestion {
  const key = isJson ? JSON.stringify(name) : name;
  // What is below a map or list starts in the next line.
  const after = hasColon ? '' : isJson || field.type.kind === 'leaf' ? ': ' : ':';
  const detail = `${textOfType(field.type)}${field.isRequired === true ? ', required' : ''}`;
  return {
    label: name,
    kind: 'field',
    detail,
    documentation: field.description,
    text: key + after,
    rank: field.isRequired === true ? 0 : 1,
  };
}

async function suggestValues(
  { place, type, path, apiVersion, document, kind }: ObjectAround,
  using: { readonly state: ClusterState; readonly effects: AdmissionEffects },
): Promise<Suggestion[]> {
  const [first] = path;
  if (path.length === 1 && first === 'apiVersion') return valueList(apiVersions(using.state, kind), 'apiVersion');
  if (path.length === 1 && first === 'kind') return valueList(kinds(using.state, apiVersion), 'kind');
  const here = type === undefined ? undefined : typeAt(type, path);
  if (here === undefined || here.kind !== 'leaf') return [];
  const detail = textOfType(here);
  if (here.leaf === 'boolean') return valueList(['true', 'false'], detail);
  if (here.values !== undefined) return valueList(here.values, detail);
  if (here.leaf !== 'string') return [];
  const range = { start: document.start + place.start, end: document.start + place.end };
  return valueList(await askForSupportedValues({ ...range, document, path }, using), detail);
}

/** Returns values in their order. */
export function valueList(all: readonly string[], detail: string): Suggestion[] {
  return all.map((label, rank) => ({ label, kind: 'value', detail, text: label, rank }));
}

/** Without a kind, every version; otherwise those that have the kind. */
function apiVersions(state: ClusterState, kind: string): string[] {
  const resources = servedBy(state).resources.filter(resource => kind === '' || resource.kind.kind === kind);
  return [...new Set(resources.map(resource => apiVersionOf(resource.kind)))].sort();
}

function kinds(state: ClusterState, apiVersion: string): string[] {
  const resources = servedBy(state).resources.filter(resource => apiVersion === '' || apiVersionOf(resource.kind) === apiVersion);
  return [...new Set(resources.map(resource => resource.kind.kind))].sort();
}
