#!/usr/bin/env node
// Measures a definition of a megabyte and its rules, and pathological definitions and objects.
// `node bench/definitions.js`, after `npm run build`.
const { handleCall } = await import('../dist/src/apiserver/handle-call.js');
const { apiServers } = await import('../dist/src/cli/work/api-servers/api-servers.js');
const { effectsFor } = await import('../dist/src/cli/shell/effects.js');
const { toValue } = await import('../dist/src/go/value.js');
const { defaultServerOptions } = await import('../dist/src/kubernetes/server-options.js');

const text = { type: 'string', maxLength: 64, description: 'a text of the bench, as long as such descriptions are '.repeat(5) };
const names = (count, value) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, value]));
const rule = { rule: "!has(self.field0) || self.field0 != 'bad'", message: 'field0 is bad' };
const parts = names(80, { type: 'object', properties: names(40, text), 'x-kubernetes-validations': [rule] });
const large = definitionOf({ type: 'object', properties: { spec: { type: 'object', properties: parts } } });
told('definition', `${(JSON.stringify(large).length / 1e6).toFixed(2)} MB, ${Object.keys(parts).length} rules`);

const thing = { apiVersion: 'bench.example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
const ordinary = { ...thing, spec: names(80, names(40, 'x')) };
await timed('post the definition', () => posted('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', large, []));
const state = stateWith(large);
await timed('the first object of it', () => create(ordinary, state));
await timed('the second', () => create(ordinary, state));

const deep = levels => `${'{"type":"object","properties":{"p":'.repeat(levels)}{"type":"string"}${'}}'.repeat(levels)}`;
const nested = levels => `${'{"p":'.repeat(levels)}"x"${'}'.repeat(levels)}`;
const placed = (value, json) => JSON.stringify(value).replace('"@"', json);
const loose = definitionOf({
  type: 'object',
  properties: {
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { p: { type: 'string', pattern: '^(a+)+$' } } },
  },
});
await timed('a schema of 500 levels', () =>
  posted('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', placed(definitionOf('@'), deep(500)), []),
);
await timed('a schema of 4,000 levels', () =>
  posted('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', placed(definitionOf('@'), deep(4000)), []),
);
await timed('an object of 1,000 levels', () => create(placed({ ...thing, spec: { v: '@' } }, nested(1000)), stateWith(loose)));
await timed('an object of 9,000 levels', () => create(placed({ ...thing, spec: { v: '@' } }, nested(9000)), stateWith(loose)));
await timed('a pattern bomb', () => create({ ...thing, spec: { p: `${'a'.repeat(200_000)}!` } }, stateWith(loose)));

function definitionOf(schema) {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const named = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.bench.example.com' },
    spec: { group: 'bench.example.com', scope: 'Namespaced', names: named, versions: [version] },
  };
}

function stateWith(definition) {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
  return [toValue(namespace), toValue(definition)];
}

function create(object, objects) {
  return posted('/apis/bench.example.com/v1/namespaces/team/things', object, objects);
}

async function posted(path, body, objects) {
  const unreachable = async () => {
    throw new Error('no webhook is registered');
  };
  const call = {
    method: 'POST',
    path,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    contentType: 'application/json',
  };
  const { answer } = await handleCall(
    call,
    { objects, server: apiServers(), presumesNamespaces: false, options: defaultServerOptions },
    effectsFor(unreachable),
  );
  return `${answer.status}`;
}

async function timed(name, run) {
  const start = performance.now();
  const outcome = await run().catch(error => error.message);
  told(name, `${(performance.now() - start).toFixed(0)} ms: ${outcome}`);
}

function told(name, words) {
  console.log(`${name.padEnd(28)} ${words}`);
}
