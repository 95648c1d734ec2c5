import { allowed, answer, type Decision, type Fault, review, type Setting, w2, w3, w6 } from './fault.js';

const absent = w3('webhook response was absent');
const json = (message: string): string => w2(`couldn't get version/kind; json parse error: ${message}`);
const typeMeta = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const notMap = (kind: string): string => json(`json: cannot unmarshal ${kind} into Go value of type ${typeMeta}`);

function body(name: string, text: unknown, message: string, decision: Decision = 'body'): Fault {
  return { name, script: answer(text), decision, message };
}

function good(name: string, text: unknown, setting: Setting = {}): Fault {
  return { name, script: answer(text), decision: 'allowed', message: '', setting };
}

/** Undecodable responses are not reviews; others violate a rule. */
function classOf(message: string): Decision {
  return message.includes('received invalid webhook response') ? 'review' : 'body';
}

/** A response of the wrong shape. */
function response(
  name: string,
  fields: Readonly<Record<string, unknown>> | string,
  message: string,
  decision: Decision = classOf(message),
): Fault {
  return { name, script: answer(review(fields)), decision, message };
}

const unmarshal = (what: string, field: string, type: string): string =>
  w2(`json: cannot unmarshal ${what} into Go struct field ${field} of type ${type}`);
const depth = (n: number): string =>
  `{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","a":${'['.repeat(n)}${']'.repeat(n)},"response":{"uid":"{{uid}}","allowed":true}}`;
const withRaw = (text: string): string => allowed.replace('"allowed":true', `"allowed":true,"x":${text}`);

/** A review in UTF-16, base64; of the version that does not check the uid. */
const utf16 = Buffer.from(
  '{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","response":{"allowed":true}}',
  'utf16le',
).toString('base64');

/** Group D: the bytes of the body. */
export const bodyFaults: readonly Fault[] = [
  body('empty body', '', w2('0-length response with status code: 200 and content type: application/json')),
  ...[' ', 'null', '{}'].map(text => body('body without a response', text, absent, 'review')),
  ...(
    [
      ['[]', 'array'],
      ['"x"', 'string'],
      ['123', 'number'],
      ['true', 'bool'],
    ] as const
  ).map(([text, kind]) => body('JSON of another type', text, notMap(kind))),
  body('HTML', '<html>\n<body>\n<p style="a: b">no: way</p>', w2('yaml: line 3: mapping values are not allowed in this context')),
  body('HTML', '<html></html>', notMap('string')),
  body('text that is a YAML map', 'internal error: boom', absent, 'review'),
  body('text', 'OK', notMap('string')),
  body('truncated JSON', '{"apiVersion":"admission.k8s.io/v1","kind":"Ad', json('unexpected end of JSON input')),
  body('truncated JSON', '{"response":{"allowed":tr ', json("invalid character ' ' in literal true (expecting 'u')")),
  body('bytes after the JSON value', `${allowed}x`, json("invalid character 'x' after top-level value")),
  good('newline after the JSON value', `${allowed}\n`),
  good('UTF-8 byte order mark', [{ base64: '77u/' }, allowed]),
  good('UTF-16', [{ base64: '//4=' }, { base64: utf16 }], { version: 'v1beta1' }),
  body('UTF-16', { base64: utf16 }, json("invalid character '\\x00' looking for beginning of object key string")),
  good('invalid UTF-8', [review('{"uid":"{{uid}}","allowed":true,"x":"').slice(0, -1), { base64: '/w==' }, '"}}']),
  good('lone surrogate', withRaw('"\\ud800"')),
  good('escaped NUL', withRaw('"\\u0000"')),
  body('control character in a string', withRaw('"\u0001"'), json("invalid character '\\x01' in string literal")),
  body('invalid escape', withRaw('"\\x"'), json("invalid character 'x' in string escape code")),
  good('duplicate member', review('{"uid":"{{uid}}","allowed":false,"allowed":true}')),
  good(
    'duplicate member',
    '{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","response":{"uid":"{{uid}}"},"response":{"allowed":true}}',
  ),
  body('member name in another case', review({ Allowed: true }), w6(' without explanation'), 'denied'),
  good('unknown member', withRaw('{"b":[1]}')),
  body('invalid JSON literal', withRaw('NaN'), json("invalid character 'N' looking for beginning of value")),
  body('invalid JSON literal', withRaw('01'), json("invalid character '1' after object key:value pair")),
  body('invalid JSON literal', withRaw('[1,]'), json("invalid character ']' looking for beginning of value")),
  good('deep nesting', depth(9000)),
  body('nesting over the limit', depth(10_001), json("invalid character '[' exceeded max depth")),
  good('number out of range', withRaw('1e999999')),
  good('YAML review', 'apiVersion: {{apiVersion}}\nkind: AdmissionReview\nresponse:\n  uid: {{uid}}\n  allowed: yes\n'),
  body('invalid YAML', 'a:\n\tb: 1', w2('yaml: line 2: found character that cannot start any token')),
  body('gzip body without Content-Encoding', { gzipOf: allowed }, w2('yaml: control characters are not allowed')),
  good('member __proto__', withRaw('{"__proto__":{"a":1}}')),
];

const kindly = (apiVersion: unknown, kind: unknown): string =>
  JSON.stringify({ apiVersion, kind, response: { uid: '{{uid}}', allowed: true } });
const wrongKind = (got: string): string => w3(`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${got}`);
const denial = (status: unknown): Readonly<Record<string, unknown>> => ({ allowed: false, status });

/** Group E: contents of the review. */
export const reviewFaults: readonly Fault[] = [
  ...['{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview"}', '{"uid":"{{uid}}","allowed":true}'].map(text =>
    body('no response', text, absent, 'review'),
  ),
  response('no response', 'null', absent),
  response('response of another type', '[]', unmarshal('array', 'AdmissionReview.response', 'v1.AdmissionResponse')),
  response('response of another type', '"x"', unmarshal('string', 'AdmissionReview.response', 'v1.AdmissionResponse')),
  ...['{"allowed":true}', '{"uid":"","allowed":true}', '{"uid":null,"allowed":true}', '{"UID":"{{uid}}","allowed":true}'].map(text =>
    response('empty or missing uid', text, w3('expected response.uid="UID", got ""')),
  ),
  response('empty or missing uid', '{"uid":" {{uid}}","allowed":true}', w3('expected response.uid="UID", got " UID"')),
  response('another uid', '{"uid":"another","allowed":true}', w3('expected response.uid="UID", got "another"')),
  response('uid of another type', '{"uid":1,"allowed":true}', unmarshal('number', 'AdmissionResponse.response.uid', 'types.UID')),
  body('no apiVersion or kind', kindly(undefined, 'AdmissionReview'), wrongKind('/, Kind=AdmissionReview'), 'review'),
  body('no apiVersion or kind', kindly('{{apiVersion}}', undefined), wrongKind('admission.k8s.io/v1, Kind='), 'review'),
  body('no apiVersion or kind', kindly(undefined, undefined), wrongKind('/, Kind='), 'review'),
  body(
    'another AdmissionReview version',
    kindly('admission.k8s.io/v1beta1', 'AdmissionReview'),
    w2('converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion'),
    'body',
  ),
  body(
    'unknown AdmissionReview version',
    kindly('admission.k8s.io/v2', 'AdmissionReview'),
    w2('no kind "AdmissionReview" is registered for version "admission.k8s.io/v2" in scheme "pkg/runtime/scheme.go:111"'),
    'body',
  ),
  body('malformed apiVersion', kindly('a/b/c', 'AdmissionReview'), w2('unexpected GroupVersion string: a/b/c'), 'body'),
  body(
    'apiVersion of another type',
    kindly(1, 'AdmissionReview'),
    json('json: cannot unmarshal number into Go struct field .apiVersion of type string'),
    'body',
  ),
  good('v1beta1 without type metadata', '{"response":{"uid":"x","allowed":true}}', { version: 'v1beta1' }),
  response('no allowed', {}, w6(' without explanation'), 'denied'),
  response('no allowed', { allowed: null }, w6(' without explanation'), 'denied'),
  response('allowed of another type', { allowed: 'true' }, unmarshal('string', 'AdmissionResponse.response.allowed', 'bool')),
  response('allowed of another type', { allowed: 1 }, unmarshal('number', 'AdmissionResponse.response.allowed', 'bool')),
  response('denial without status', { allowed: false }, w6(' without explanation'), 'denied'),
  ...[0, 200, -5].map(code => response('denial with an odd code', denial({ code, message: 'no' }), w6(': no'), 'denied')),
  // Go panics while it writes such a status: the client gets no answer.
  response('denial with a code over 999', denial({ code: 1000, message: 'no' }), '', 'denied'),
  response('denial with a code over 999', denial({ code: 999, message: 'no' }), w6(': no'), 'denied'),
  response(
    'code of another type',
    '{"uid":"{{uid}}","allowed":false,"status":{"code":403.0}}',
    unmarshal('number 403.0', 'Status.response.status.code', 'int32'),
  ),
  response('code of another type', denial({ code: '403' }), unmarshal('string', 'Status.response.status.code', 'int32')),
  response('code of another type', denial({ code: 99999999999 }), unmarshal('number 99999999999', 'Status.response.status.code', 'int32')),
  response('status of another type', denial('no'), unmarshal('string', 'AdmissionResponse.response.status', 'v1.Status')),
  response('status of another type', denial({ message: 1 }), unmarshal('number', 'Status.response.status.message', 'string')),
  response('result instead of status', { allowed: false, result: { message: 'no' } }, w6(' without explanation'), 'denied'),
  response('denial with status Success', denial({ status: 'Success', message: 'no' }), w6(': no'), 'denied'),
  good('status of an allowed review', review({ allowed: true, status: { message: 'fine' } })),
  response('control characters in the message', denial({ message: 'a\u001b[31m\u0007b' }), w6(': a\u001b[31m\u0007b'), 'denied'),
  response(
    'warnings of another type',
    { allowed: true, warnings: 'x' },
    unmarshal('string', 'AdmissionResponse.response.warnings', '[]string'),
  ),
  response(
    'warnings of another type',
    { allowed: true, warnings: [1] },
    unmarshal('number', 'AdmissionResponse.response.warnings', 'string'),
  ),
  good('null warning', review({ allowed: true, warnings: [null] })),
  good('warning over two lines', review({ allowed: true, warnings: ['a\nb'] })),
  good('repeated warning', review({ allowed: true, warnings: ['a', 'a'] })),
  good('too many warnings', review({ allowed: true, warnings: Array.from({ length: 17 }, (_, i) => `${i}${'x'.repeat(300)}`) })),
  good('long warning', review({ allowed: true, warnings: ['x'.repeat(121)] })),
  good('audit annotation with a slash', review({ allowed: true, auditAnnotations: { 'a/b': 'c' } })),
  response(
    'audit annotation of another type',
    { allowed: true, auditAnnotations: { a: 1 } },
    unmarshal('number', 'AdmissionResponse.response.auditAnnotations', 'string'),
  ),
  {
    name: 'dry run with side effects',
    script: answer(allowed),
    decision: 'denied',
    message: 'admission webhook "w.example.com" does not support dry run',
    setting: { dryRun: true, sideEffects: 'Some' },
  },
  {
    name: 'unknown admissionReviewVersions',
    script: answer(allowed),
    decision: 'review',
    message:
      'Internal error occurred: failed calling webhook "w.example.com": could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    setting: { version: 'v2' },
  },
  {
    name: 'match condition that fails',
    script: answer(allowed),
    decision: 'refused',
    message: 'configmaps "c" is forbidden: expression \'object.data.none == "x"\' resulted in error: no such key: none',
    setting: { matchCondition: 'object.data.none == "x"' },
  },
  good('match condition that fails', allowed, { matchCondition: 'object.data.none == "x"', ignore: true }),
];
