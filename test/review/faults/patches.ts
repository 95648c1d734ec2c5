import { answer, type Fault, review, type Setting, type Verdict, w2, w3, w4, w5 } from './fault.js';

const mutating: Setting = { mutating: true };

/** A response with these fields besides the usual ones. */
function fields(row: string, given: Readonly<Record<string, unknown>>, message: string, verdict: Verdict = 'review'): Fault {
  return { row, script: answer(review({ allowed: true, ...given })), verdict, message, setting: mutating };
}

/** A patch; a text is its bytes. */
function patch(
  row: string,
  operations: unknown,
  message: string,
  setting: Setting = mutating,
  verdict: Verdict = message === '' ? 'allowed' : 'patch',
): Fault {
  const text = typeof operations === 'string' ? operations : JSON.stringify(operations);
  const script = answer(review({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from(text).toString('base64') }));
  return { row, script, verdict, message, setting };
}

const one = (op: string, path: string, more: Readonly<Record<string, unknown>> = {}): readonly unknown[] => [{ op, path, ...more }];
const value = { value: 'v' };
const emptyPatch = { patchType: 'JSONPatch' };
const type = (row: string, given: unknown, what: string, goType: string): Fault =>
  fields(
    row,
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

/** Adds a number that no double holds, and compares it with another. */
function beyondDouble(other: string): string {
  const at = '"path":"/metadata/generation"';
  return `[{"op":"add",${at},"value":9007199254740993},{"op":"test",${at},"value":${other}}]`;
}

/** Group P: patches, applied to a config map with data and without labels. */
export const patchFaults: readonly Fault[] = [
  fields('P01', { ...emptyPatch, patch: '%%%' }, w2('illegal base64 data at input byte 0'), 'body'),
  type('P02', [{ op: 'add' }], 'object', 'uint8'),
  type('P03', { op: 'add' }, 'object', '[]uint8'),
  fields('P04', { patch: 'W10=' }, w3('webhook returned response.patch but not response.patchType')),
  fields('P05', emptyPatch, w3('webhook returned response.patchType but not response.patch')),
  fields('P05', { ...emptyPatch, patch: '' }, w3('webhook returned response.patchType but not response.patch')),
  fields('P06', { patchType: '', patch: 'W10=' }, w3('webhook returned invalid response.patchType of ""')),
  fields('P07', { patchType: 'jsonpatch', patch: 'W10=' }, '', 'allowed'),
  patch('P08', [], w3('validating webhook may not return response.patch'), {}, 'review'),
  patch('P09', '[{"op":', w4('unexpected end of JSON input')),
  patch('P09', '[]t', w4("invalid character 't' after top-level value")),
  patch('P09', '{}', w4('json: cannot unmarshal object into Go value of type jsonpatch.Patch')),
  patch('P10', 'null', ''),
  patch('P10', [], ''),
  patch(
    'P11',
    one('remove', '/data'),
    w5('admission webhook "w.example.com" attempted to modify the object, which is not supported for this operation'),
    { ...mutating, operation: 'DELETE' },
  ),
  patch('P12', one('zork', '/data'), w5('Unexpected kind: zork')),
  patch('P12', one('ADD', '/data'), w5('Unexpected kind: ADD')),
  patch('P12', [{}], w5('Unexpected kind: unknown')),
  patch('P13', [{ op: 'add', value: 1 }], w5('add operation failed to decode path: missing value')),
  patch('P14', one('add', '/missing/z', value), w5('add operation does not apply: doc is missing path: "/missing/z": missing value')),
  patch('P15', one('add', 'data/z', value), ''),
  patch('P16', one('add', '', value), w5('add operation does not apply: doc is missing path: "": missing value')),
  patch(
    'P17',
    one('remove', '/data/none'),
    w5("error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value"),
  ),
  patch('P18', one('replace', '/data/none', value), ''),
  patch('P19', one('add', '/data/none'), ''),
  patch('P20', one('test', '/data/k', value), ''),
  patch('P20', one('test', '/data/k', { value: 'x' }), w5('testing value /data/k failed: test failed')),
  patch('P21', one('test', '/data/none', { value: null }), ''),
  patch('P22', one('test', '/nope/x', value), w5('test operation does not apply: is missing path: /nope/x: missing value')),
  patch(
    'P23',
    one('move', '/data/a', { from: '/data/none' }),
    w5("error in move for path: 'none': Unable to remove nonexistent key: none: missing value"),
  ),
  patch('P23', one('move', '/data/a'), w5('move operation failed to decode from: operation, missing from field: missing value')),
  patch('P24', one('copy', '/data/a', { from: '/data/none' }), ''),
  patch('P25', one('add', '/metadata/finalizers/-', { value: 'example.com/b' }), ''),
  patch('P26', one('add', '/metadata/finalizers/-1', { value: 'example.com/b' }), ''),
  patch(
    'P27',
    one('add', '/metadata/finalizers/3', value),
    w5("error in add for path: '/metadata/finalizers/3': Unable to access invalid index: 3: invalid index referenced"),
  ),
  patch('P28', one('replace', '/metadata/finalizers/+0', { value: 'example.com/b' }), ''),
  patch(
    'P29',
    one('add', '/metadata/finalizers/x', value),
    w5(
      `error in add for path: '/metadata/finalizers/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ),
  ),
  patch(
    'P30',
    one('remove', '/metadata/finalizers/-'),
    w5(`error in remove for path: '/metadata/finalizers/-': strconv.Atoi: parsing "-": invalid syntax`),
  ),
  patch(
    'P31',
    one('add', '/metadata/annotations', { value: { 'a/b': 'c' } }).concat(one('test', '/metadata/annotations/a~1b', { value: 'c' })),
    '',
  ),
  patch('P32', one('add', '/__proto__/x', value), w5('add operation does not apply: doc is missing path: "/__proto__/x": missing value')),
  patch('P32', one('add', '/data/__proto__', value), ''),
  patch(
    'P33',
    [
      ...one('add', '/data/big', { value: 'x'.repeat(1 << 20) }),
      ...Array.from({ length: 4 }, (_, i) => ({ op: 'copy', from: '/data/big', path: `/data/b${i}` })),
    ],
    w5('Unable to complete the copy, the accumulated size increase of copy is 3145734, exceeding the limit 3145728'),
  ),
  patch(
    'P35',
    one('add', '/metadata/labels', { value: { x: 5 } }),
    w5('json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string'),
  ),
  patch('P37', one('remove', '/kind'), ''),
  patch('P38', one('replace', '/metadata/name', { value: 'b' }), ''),
  patch(
    'P39',
    one('replace', '/metadata/namespace', { value: 'b' }),
    'the namespace of the provided object does not match the namespace sent on the request',
    mutating,
    'denied',
  ),
  patch('P41', one('add', '/metadata/generation', { value: 5 }), ''),
  ...['jsonpatch', 'MergePatch', 'JSONPatch '].map(patchType =>
    fields('P07', { patchType, patch: encoded(one('add', '/data/a', value)) }, unsupported(patchType), 'patch'),
  ),
  patch(
    'P34',
    Array.from({ length: 100_000 }, (_, i) => ({ op: 'replace', path: '/data/k', value: `${i}` })),
    '',
  ),
  patch('P36', one('replace', '/kind', { value: 'Secret' }), w5('illegal base64 data at input byte 0')),
  patch(
    'P36',
    one('replace', '/apiVersion', { value: 'apps/v1' }),
    w5('no kind "ConfigMap" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"'),
  ),
  patch('P38', one('replace', '/metadata/name', { value: 'b' }), immutable('b', 'metadata.name', 'b'), update, 'refused'),
  patch('P40', one('replace', '/metadata/uid', { value: otherUid }), immutable('c', 'metadata.uid', 'UID'), update, 'refused'),
  patch('P42', beyondDouble('9007199254740993'), ''),
  patch('P42', beyondDouble('9007199254740992'), w5('testing value /metadata/generation failed: test failed')),
];
