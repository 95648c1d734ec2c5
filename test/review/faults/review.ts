import { allowed, answer, type Fault, review, type Setting, type Verdict, w2, w3, w6 } from './fault.js';

const absent = w3('webhook response was absent');
const json = (words: string): string => w2(`couldn't get version/kind; json parse error: ${words}`);
const typeMeta = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const notMap = (kind: string): string => json(`json: cannot unmarshal ${kind} into Go value of type ${typeMeta}`);

function body(row: string, text: unknown, message: string, verdict: Verdict = 'body'): Fault {
  return { row, script: answer(text), verdict, message };
}

function good(row: string, text: unknown, setting: Setting = {}): Fault {
  return { row, script: answer(text), verdict: 'allowed', message: '', setting };
}

/** What cannot be decoded is no review; what can breaks a rule. */
function classOf(message: string): Verdict {
  return message.includes('received invalid webhook response') ? 'review' : 'body';
}

/** A response of the wrong shape. */
function response(
  row: string,
  fields: Readonly<Record<string, unknown>> | string,
  message: string,
  verdict: Verdict = classOf(message),
): Fault {
  return { row, script: answer(review(fields)), verdict, message };
}

const unmarshal = (what: string, field: string, type: string): string =>
  w2(`json: cannot unmarshal ${what} into Go struct field ${field} of type ${type}`);
const depth = (n: number): string =>
  `{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","a":${'['.repeat(n)}${']'.repeat(n)},"response":{"uid":"{{uid}}","allowed":true}}`;
const withRaw = (text: string): string => allowed.replace('"allowed":true', `"allowed":true,"x":${text}`);

/** A review in 16 bits a character, base64; of the version that asks for no uid. */
const utf16 = Buffer.from(
  '{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","response":{"allowed":true}}',
  'utf16le',
).toString('base64');

/** Group D: the bytes of the body. */
export const bodyFaults: readonly Fault[] = [
  body('D01', '', w2('0-length response with status code: 200 and content type: application/json')),
  ...[' ', 'null', '{}'].map(text => body('D02', text, absent, 'review')),
  ...(
    [
      ['[]', 'array'],
      ['"x"', 'string'],
      ['123', 'number'],
      ['true', 'bool'],
    ] as const
  ).map(([text, kind]) => body('D03', text, notMap(kind))),
  body('D04', '<html>\n<body>\n<p style="a: b">no: way</p>', w2('yaml: line 3: mapping values are not allowed in this context')),
  body('D04', '<html></html>', notMap('string')),
  body('D05', 'internal error: boom', absent, 'review'),
  body('D06', 'OK', notMap('string')),
  body('D07', '{"apiVersion":"admission.k8s.io/v1","kind":"Ad', json('unexpected end of JSON input')),
  body('D07', '{"response":{"allowed":tr ', json("invalid character ' ' in literal true (expecting 'u')")),
  body('D08', `${allowed}x`, json("invalid character 'x' after top-level value")),
  good('D09', `${allowed}\n`),
  good('D10', [{ base64: '77u/' }, allowed]),
  good('D11', [{ base64: '//4=' }, { base64: utf16 }], { version: 'v1beta1' }),
  body('D11', { base64: utf16 }, json("invalid character '\\x00' looking for beginning of object key string")),
  good('D12', [review('{"uid":"{{uid}}","allowed":true,"x":"').slice(0, -1), { base64: '/w==' }, '"}}']),
  good('D13', withRaw('"\\ud800"')),
  good('D14', withRaw('"\\u0000"')),
  body('D15', withRaw('"\u0001"'), json("invalid character '\\x01' in string literal")),
  body('D16', withRaw('"\\x"'), json("invalid character 'x' in string escape code")),
  good('D17', review('{"uid":"{{uid}}","allowed":false,"allowed":true}')),
  good('D17', '{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","response":{"uid":"{{uid}}"},"response":{"allowed":true}}'),
  body('D18', review({ Allowed: true }), w6(' without explanation'), 'denied'),
  good('D19', withRaw('{"b":[1]}')),
  body('D20', withRaw('NaN'), json("invalid character 'N' looking for beginning of value")),
  body('D20', withRaw('01'), json("invalid character '1' after object key:value pair")),
  body('D20', withRaw('[1,]'), json("invalid character ']' looking for beginning of value")),
  good('D21', depth(9000)),
  body('D22', depth(10_001), json("invalid character '[' exceeded max depth")),
  good('D23', withRaw('1e999999')),
  good('D24', 'apiVersion: {{apiVersion}}\nkind: AdmissionReview\nresponse:\n  uid: {{uid}}\n  allowed: yes\n'),
  body('D25', 'a:\n\tb: 1', w2('yaml: line 2: found character that cannot start any token')),
  body('D26', { gzipOf: allowed }, w2('yaml: control characters are not allowed')),
  good('D27', withRaw('{"__proto__":{"a":1}}')),
];

const kindly = (apiVersion: unknown, kind: unknown): string =>
  JSON.stringify({ apiVersion, kind, response: { uid: '{{uid}}', allowed: true } });
const wrongKind = (got: string): string => w3(`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${got}`);
const denial = (status: unknown): Readonly<Record<string, unknown>> => ({ allowed: false, status });

/** Group E: what the review says. */
export const reviewFaults: readonly Fault[] = [
  ...['{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview"}', '{"uid":"{{uid}}","allowed":true}'].map(text =>
    body('E01', text, absent, 'review'),
  ),
  response('E01', 'null', absent),
  response('E02', '[]', unmarshal('array', 'AdmissionReview.response', 'v1.AdmissionResponse')),
  response('E02', '"x"', unmarshal('string', 'AdmissionReview.response', 'v1.AdmissionResponse')),
  ...['{"allowed":true}', '{"uid":"","allowed":true}', '{"uid":null,"allowed":true}', '{"UID":"{{uid}}","allowed":true}'].map(text =>
    response('E03', text, w3('expected response.uid="UID", got ""')),
  ),
  response('E03', '{"uid":" {{uid}}","allowed":true}', w3('expected response.uid="UID", got " UID"')),
  response('E04', '{"uid":"another","allowed":true}', w3('expected response.uid="UID", got "another"')),
  response('E05', '{"uid":1,"allowed":true}', unmarshal('number', 'AdmissionResponse.response.uid', 'types.UID')),
  body('E06', kindly(undefined, 'AdmissionReview'), wrongKind('/, Kind=AdmissionReview'), 'review'),
  body('E06', kindly('{{apiVersion}}', undefined), wrongKind('admission.k8s.io/v1, Kind='), 'review'),
  body('E06', kindly(undefined, undefined), wrongKind('/, Kind='), 'review'),
  body(
    'E07',
    kindly('admission.k8s.io/v1beta1', 'AdmissionReview'),
    w2('converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion'),
    'body',
  ),
  body(
    'E08',
    kindly('admission.k8s.io/v2', 'AdmissionReview'),
    w2('no kind "AdmissionReview" is registered for version "admission.k8s.io/v2" in scheme "pkg/runtime/scheme.go:111"'),
    'body',
  ),
  body('E09', kindly('a/b/c', 'AdmissionReview'), w2('unexpected GroupVersion string: a/b/c'), 'body'),
  body('E10', kindly(1, 'AdmissionReview'), json('json: cannot unmarshal number into Go struct field .apiVersion of type string'), 'body'),
  good('E11', '{"response":{"uid":"x","allowed":true}}', { version: 'v1beta1' }),
  response('E12', {}, w6(' without explanation'), 'denied'),
  response('E12', { allowed: null }, w6(' without explanation'), 'denied'),
  response('E13', { allowed: 'true' }, unmarshal('string', 'AdmissionResponse.response.allowed', 'bool')),
  response('E13', { allowed: 1 }, unmarshal('number', 'AdmissionResponse.response.allowed', 'bool')),
  response('E14', { allowed: false }, w6(' without explanation'), 'denied'),
  ...[0, 200, -5].map(code => response('E15', denial({ code, message: 'no' }), w6(': no'), 'denied')),
  // Go panics while it writes such a status: the client gets no answer.
  response('E16', denial({ code: 1000, message: 'no' }), '', 'denied'),
  response('E16', denial({ code: 999, message: 'no' }), w6(': no'), 'denied'),
  response(
    'E17',
    '{"uid":"{{uid}}","allowed":false,"status":{"code":403.0}}',
    unmarshal('number 403.0', 'Status.response.status.code', 'int32'),
  ),
  response('E17', denial({ code: '403' }), unmarshal('string', 'Status.response.status.code', 'int32')),
  response('E17', denial({ code: 99999999999 }), unmarshal('number 99999999999', 'Status.response.status.code', 'int32')),
  response('E18', denial('no'), unmarshal('string', 'AdmissionResponse.response.status', 'v1.Status')),
  response('E18', denial({ message: 1 }), unmarshal('number', 'Status.response.status.message', 'string')),
  response('E19', { allowed: false, result: { message: 'no' } }, w6(' without explanation'), 'denied'),
  response('E20', denial({ status: 'Success', message: 'no' }), w6(': no'), 'denied'),
  good('E21', review({ allowed: true, status: { message: 'fine' } })),
  response('E22', denial({ message: 'a\u001b[31m\u0007b' }), w6(': a\u001b[31m\u0007b'), 'denied'),
  response('E23', { allowed: true, warnings: 'x' }, unmarshal('string', 'AdmissionResponse.response.warnings', '[]string')),
  response('E23', { allowed: true, warnings: [1] }, unmarshal('number', 'AdmissionResponse.response.warnings', 'string')),
  good('E24', review({ allowed: true, warnings: [null] })),
  good('E25', review({ allowed: true, warnings: ['a\nb'] })),
  good('E26', review({ allowed: true, warnings: ['a', 'a'] })),
  good('E27', review({ allowed: true, warnings: Array.from({ length: 17 }, (_, i) => `${i}${'x'.repeat(300)}`) })),
  good('E28', review({ allowed: true, warnings: ['x'.repeat(121)] })),
  good('E29', review({ allowed: true, auditAnnotations: { 'a/b': 'c' } })),
  response(
    'E30',
    { allowed: true, auditAnnotations: { a: 1 } },
    unmarshal('number', 'AdmissionResponse.response.auditAnnotations', 'string'),
  ),
  {
    row: 'E32',
    script: answer(allowed),
    verdict: 'denied',
    message: 'admission webhook "w.example.com" does not support dry run',
    setting: { dryRun: true, sideEffects: 'Some' },
  },
  {
    row: 'E31',
    script: answer(allowed),
    verdict: 'review',
    message:
      'Internal error occurred: failed calling webhook "w.example.com": could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    setting: { version: 'v2' },
  },
  {
    row: 'E33',
    script: answer(allowed),
    verdict: 'refused',
    message: 'configmaps "c" is forbidden: expression \'object.data.none == "x"\' resulted in error: no such key: none',
    setting: { matchCondition: 'object.data.none == "x"' },
  },
  good('E33', allowed, { matchCondition: 'object.data.none == "x"', ignore: true }),
];
