import { answer, type Decision, type Fault, review, type Setting, w2, w3, w4, w5 } from './fault.js';

const mutating: Setting = { mutating: true };

/** A response with these fields besides the usual ones. */
function fields(name: string, given: Readonly<Record<string, unknown>>, message: string, decision: Decision = 'review'): Fault {
  return { name, script: answer(review({ allowed: true, ...given })), decision, message, setting: mutating };
}

/** A patch; a string is its text. */
function patch(
  name: string,
  operations: unknown,
  message: string,
  setting: Setting = mutating,
  decision: Decision = message === '' ? 'allowed' : 'patch',
): Fault {
  const text = typeof operations === 'string' ? operations : JSON.stringify(operations);
  const script = answer(review({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from(text).toString('base64') }));
  return { name, script, decision, message, setting };
}

const one = (op: string, path: string, more: Readonly<Record<string, unknown>> = {}): readonly unknown[] => [{ op, path, ...more }];
const value = { value: 'v' };
const emptyPatch = { patchType: 'JSONPatch' };
const type = (name: string, given: unknown, what: string, goType: string): Fault =>
  fields(
    name,
    { patchType: 'JSONPatch', patch: given },
    w2(`json: cannot unmarshal ${what} into Go struct field AdmissionResponse.response.patch of type ${goType}`),
    'body',
  );

const update: Setting = { ...mutating, operation: 'UPDATE' };
const otherUid = '00000000-0000-4000-8000-000000000000';
const encoded = (operations: unknown): string => Buffer.from(JSON.stringify(operations)).toString('base64');
const unsupported = (patchType: string): string =>
  `Internal error occurred: failed calling webhook "w.example.com": unsupported patch type "${patchType}"`;
const immutable = (name: string, field: string, given: string): string =>
  `ConfigMap "${name}" is invalid: ${field}: Invalid value: "${given}": field is immutable`;

/** Adds a number that a double cannot represent, and compares it with another. */
function beyondDouble(other: string): string {
  const at = '"path":"/metadata/generation"';
  return `[{"op":"add",${at},"value":9007199254740993},{"op":"test",${at},"value":${other}}]`;
}

/** Group P: patches, applied to a config map with data and without labels. */
export const patchFaults: readonly Fault[] = [
  fields('patch that is not base64', { ...emptyPatch, patch: '%%%' }, w2('illegal base64 data at input byte 0'), 'body'),
  type('patch as a list of operations', [{ op: 'add' }], 'object', 'uint8'),
  type('patch as an object', { op: 'add' }, 'object', '[]uint8'),
  fields('patch without patchType', { patch: 'W10=' }, w3('webhook returned response.patch but not response.patchType')),
  fields('patchType without patch', emptyPatch, w3('webhook returned response.patchType but not response.patch')),
  fields('patchType without patch', { ...emptyPatch, patch: '' }, w3('webhook returned response.patchType but not response.patch')),
  fields('empty patchType', { patchType: '', patch: 'W10=' }, w3('webhook returned invalid response.patchType of ""')),
  fields('unknown patchType', { patchType: 'jsonpatch', patch: 'W10=' }, '', 'allowed'),
  patch('patch of a validating webhook', [], w3('validating webhook may not return response.patch'), {}, 'review'),
  patch('patch that is not a JSON list', '[{"op":', w4('unexpected end of JSON input')),
  patch('patch that is not a JSON list', '[]t', w4("invalid character 't' after top-level value")),
  patch('patch that is not a JSON list', '{}', w4('json: cannot unmarshal object into Go value of type jsonpatch.Patch')),
  patch('empty patch', 'null', ''),
  patch('empty patch', [], ''),
  patch(
    'patch of a DELETE',
    one('remove', '/data'),
    w5('admission webhook "w.example.com" attempted to modify the object, which is not supported for this operation'),
    { ...mutating, operation: 'DELETE' },
  ),
  patch('unknown operation', one('zork', '/data'), w5('Unexpected kind: zork')),
  patch('unknown operation', one('ADD', '/data'), w5('Unexpected kind: ADD')),
  patch('unknown operation', [{}], w5('Unexpected kind: unknown')),
  patch('operation without path', [{ op: 'add', value: 1 }], w5('add operation failed to decode path: missing value')),
  patch(
    'add below a missing path',
    one('add', '/missing/z', value),
    w5('add operation does not apply: doc is missing path: "/missing/z": missing value'),
  ),
  patch('path without a leading slash', one('add', 'data/z', value), ''),
  patch('empty path', one('add', '', value), w5('add operation does not apply: doc is missing path: "": missing value')),
  patch(
    'remove of a missing member',
    one('remove', '/data/none'),
    w5("error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value"),
  ),
  patch('replace of a missing member', one('replace', '/data/none', value), ''),
  patch('add without value', one('add', '/data/none'), ''),
  patch('test', one('test', '/data/k', value), ''),
  patch('test', one('test', '/data/k', { value: 'x' }), w5('testing value /data/k failed: test failed')),
  patch('test of a missing member for null', one('test', '/data/none', { value: null }), ''),
  patch(
    'test below a missing path',
    one('test', '/nope/x', value),
    w5('test operation does not apply: is missing path: /nope/x: missing value'),
  ),
  patch(
    'move from a missing member',
    one('move', '/data/a', { from: '/data/none' }),
    w5("error in move for path: 'none': Unable to remove nonexistent key: none: missing value"),
  ),
  patch(
    'move from a missing member',
    one('move', '/data/a'),
    w5('move operation failed to decode from: operation, missing from field: missing value'),
  ),
  patch('copy from a missing member', one('copy', '/data/a', { from: '/data/none' }), ''),
  patch('add to the end of a list', one('add', '/metadata/finalizers/-', { value: 'example.com/b' }), ''),
  patch('negative index', one('add', '/metadata/finalizers/-1', { value: 'example.com/b' }), ''),
  patch(
    'index out of range',
    one('add', '/metadata/finalizers/3', value),
    w5("error in add for path: '/metadata/finalizers/3': Unable to access invalid index: 3: invalid index referenced"),
  ),
  patch('index with a sign', one('replace', '/metadata/finalizers/+0', { value: 'example.com/b' }), ''),
  patch(
    'index that is not a number',
    one('add', '/metadata/finalizers/x', value),
    w5(
      `error in add for path: '/metadata/finalizers/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ),
  ),
  patch(
    'remove of the end of a list',
    one('remove', '/metadata/finalizers/-'),
    w5(`error in remove for path: '/metadata/finalizers/-': strconv.Atoi: parsing "-": invalid syntax`),
  ),
  patch(
    'escaped member name',
    one('add', '/metadata/annotations', { value: { 'a/b': 'c' } }).concat(one('test', '/metadata/annotations/a~1b', { value: 'c' })),
    '',
  ),
  patch(
    'member __proto__',
    one('add', '/__proto__/x', value),
    w5('add operation does not apply: doc is missing path: "/__proto__/x": missing value'),
  ),
  patch('member __proto__', one('add', '/data/__proto__', value), ''),
  patch(
    'copies over the size limit',
    [
      ...one('add', '/data/big', { value: 'x'.repeat(1 << 20) }),
      ...Array.from({ length: 4 }, (_, i) => ({ op: 'copy', from: '/data/big', path: `/data/b${i}` })),
    ],
    w5('Unable to complete the copy, the accumulated size increase of copy is 3145734, exceeding the limit 3145728'),
  ),
  patch(
    'patched object of another type',
    one('add', '/metadata/labels', { value: { x: 5 } }),
    w5('json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string'),
  ),
  patch('removed kind', one('remove', '/kind'), ''),
  patch('patched name', one('replace', '/metadata/name', { value: 'b' }), ''),
  patch(
    'patched namespace',
    one('replace', '/metadata/namespace', { value: 'b' }),
    'the namespace of the provided object does not match the namespace sent on the request',
    mutating,
    'denied',
  ),
  patch('patched generation', one('add', '/metadata/generation', { value: 5 }), ''),
  ...['jsonpatch', 'MergePatch', 'JSONPatch '].map(patchType =>
    fields('unknown patchType', { patchType, patch: encoded(one('add', '/data/a', value)) }, unsupported(patchType), 'patch'),
  ),
  patch(
    '100,000 operations',
    Array.from({ length: 100_000 }, (_, i) => ({ op: 'replace', path: '/data/k', value: `${i}` })),
    '',
  ),
  patch('patched kind or apiVersion', one('replace', '/kind', { value: 'Secret' }), w5('illegal base64 data at input byte 0')),
  patch(
    'patched kind or apiVersion',
    one('replace', '/apiVersion', { value: 'apps/v1' }),
    w5('no kind "ConfigMap" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"'),
  ),
  patch('patched name', one('replace', '/metadata/name', { value: 'b' }), immutable('b', 'metadata.name', 'b'), update, 'refused'),
  patch('patched uid', one('replace', '/metadata/uid', { value: otherUid }), immutable('c', 'metadata.uid', 'UID'), update, 'refused'),
  patch('number beyond a double', beyondDouble('9007199254740993'), ''),
  patch('number beyond a double', beyondDouble('9007199254740992'), w5('testing value /metadata/generation failed: test failed')),
];
