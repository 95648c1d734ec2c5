import type { Random } from '../../random.js';
import { bad } from '../bad-values.js';
import { isObject, type Json, type JsonObject, mergePatch, type Scene } from '../scene.js';
import { definitionsPath, randomDefinition } from './schemas.js';

const path = `${definitionsPath}/things.{id}.schemas.example.com`;

/** CustomResourceDefinitions with one or two changes: creations, updates and patches. */
export function definitions(r: Random): Scene {
  const query = r.pick(['', '', '?fieldValidation=Strict', '?fieldValidation=Warn', '?dryRun=All']);
  const body = randomDefinition(r, '{id}');
  if (r.chance(70))
    return { setup: [], call: { method: 'POST', path: definitionsPath + query, body: r.chance(75) ? bent(r, body) : body } };
  const first = simple(body);
  const setup = [{ method: 'POST', path: definitionsPath, body: first }];
  const next = r.chance(60) ? bent(r, r.chance(50) ? body : first) : body;
  if (r.chance(50)) return { setup, pause: 1500, call: { method: 'PUT', path: path + query, body: next } };
  return {
    setup,
    pause: 1500,
    call: { method: 'PATCH', path: path + query, contentType: mergePatch, body: { spec: next['spec'] ?? null } },
  };
}

/** The definition with schemas that the API server accepts. */
function simple(body: JsonObject): JsonObject {
  const { spec } = structuredClone(body);
  const versions = isObject(spec) && Array.isArray(spec['versions']) ? spec['versions'] : [];
  for (const version of versions)
    if (isObject(version)) version['schema'] = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
  for (const version of versions) if (isObject(version)) delete version['subresources'];
  return { ...body, spec: spec ?? null };
}

const rule = (text: string, more: JsonObject = {}): JsonObject => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });

/** Members that definitions, versions, names and schemas may get. */
const members: readonly JsonObject[] = [
  ...[{ type: 'strin' }, { type: '' }, { nullable: true }, { default: {} }, { pattern: '(' }, { format: 'x' }, { required: ['zz'] }],
  ...[{ 'x-kubernetes-preserve-unknown-fields': false }, { 'x-kubernetes-list-type': 'set' }, { 'x-kubernetes-list-type': 'x' }],
  ...[{ required: ['a', 'a'] }, { 'x-kubernetes-list-map-keys': ['a'] }, { 'x-kubernetes-map-type': 'x' }, { additionalProperties: false }],
  ...[{ additionalProperties: true }, { items: { type: 'string' } }, { properties: { a: {} } }, { oneOf: [{ type: 'string' }] }],
  ...[{ properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }, { allOf: [{ description: 'x' }] }],
  ...[{ not: { default: 1 } }, { uniqueItems: true }, { minimum: 5 }, { maximum: 1 }, { minLength: -1 }, { multipleOf: 0 }, { enum: [] }],
  ...[
    { enum: ['a', 'a'] },
    { 'x-kubernetes-int-or-string': true },
    { 'x-kubernetes-embedded-resource': true },
    { $ref: '#/x' },
    { title: 5 },
  ],
  ...[{ externalDocs: {} }, { example: 1 }, { dependencies: {} }, { id: 'x' }, { unknown: 1 }, { served: false }, { storage: false }],
  ...[
    { storage: true },
    { name: 'V1' },
    { name: '' },
    { deprecationWarning: 'x' },
    { shortNames: ['A', 'b', 'b'] },
    { categories: ['x', 'X!'] },
  ],
  ...[
    { singular: 'X' },
    { plural: 'other' },
    { listKind: 'Y z' },
    { kind: 'lower' },
    { scope: 'x' },
    { scope: 'Cluster' },
    { group: 'nodots' },
  ],
  ...[{ group: 'x.k8s.io' }, { preserveUnknownFields: true }, { selectableFields: [{ jsonPath: '.spec.a' }] }],
  ...[
    { selectableFields: [{ jsonPath: '.metadata.name' }] },
    { subresources: { scale: { specReplicasPath: '.spec.x', statusReplicasPath: 'status' } } },
  ],
  {
    subresources: {
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.x' },
      status: {},
    },
  },
  { additionalPrinterColumns: [{ name: 'a', type: 'x', jsonPath: 'y' }] },
  { additionalPrinterColumns: [{ name: 'a', type: 'date', jsonPath: '.metadata.x' }] },
  { conversion: { strategy: 'Webhook' } },
  { conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } },
  { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v2'], clientConfig: { url: 'http://x' } } } },
  ...[rule('self.'), rule(''), rule('true', { message: '' }), rule('1'), rule('true', { messageExpression: '1' }), rule('unknown(self)')],
  ...[rule('true', { fieldPath: '.zz' }), rule('self == oldSelf', { reason: 'X' }), rule('true', { optionalOldSelf: true })],
  rule('self.all(x, self.all(y, self.all(z, x == y)))'),
];

/** A copy with one or two members added, replaced or removed. */
function bent(r: Random, definition: JsonObject): JsonObject {
  const copy = structuredClone(definition);
  for (let i = 1 + r.below(2); i > 0; i -= 1) {
    const [holder, key] = r.pick(placesIn(copy));
    const node = (holder as JsonObject)[key] ?? null;
    const what = r.below(100);
    if (isObject(node) && what < 60) Object.assign(node, structuredClone(r.pick(members)));
    else if (what < 80) (holder as JsonObject)[key] = structuredClone(r.pick(bad));
    else if (Array.isArray(holder)) holder.push(structuredClone(node));
    else delete holder[key];
  }
  return copy;
}

type Holder = JsonObject | Json[];

function placesIn(definition: JsonObject): [Holder, string][] {
  const found: [Holder, string][] = [];
  const visit = (holder: Json): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      found.push([holder, key]);
      visit((holder as JsonObject)[key] ?? null);
    }
  };
  visit(definition['spec'] ?? {});
  found.push([definition, 'spec']);
  return found;
}
