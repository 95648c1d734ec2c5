import { describe, expect, it } from 'vitest';
import { capturesIn } from '../../src/captures/find-captures.js';
import { CliError, printLocation } from '../../src/client/cli-error.js';
import { writeValue } from '../../src/go/json/write.js';

const request = {
  uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  name: 'web',
  namespace: 'shop',
  operation: 'CREATE',
  userInfo: { username: 'jane' },
  object: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web', annotations: { note: 'a "quoted" word,\nä=1 \\ {b' } } },
  oldObject: null,
  dryRun: false,
};
const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request };
const json = JSON.stringify(review);
const indented = JSON.stringify(review, null, 2);
/** The same review with another uid. */
const second = json.replace('705ab4f5', '805ab4f5');

function found(text: string | Uint8Array) {
  const { entries, warnings } = capturesIn({ source: 'in.log', bytes: Buffer.from(text as string) });
  const read = entries.map(entry => {
    if (entry instanceof CliError) return { error: entry.message, at: printLocation(entry.location ?? { file: '' }) };
    return {
      value: JSON.parse(writeValue(entry.object, 'kept')) as unknown,
      at: printLocation(entry.location),
      nameAt: printLocation(entry.locate('/request/name')),
    };
  });
  return { read, warnings };
}

function python(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object') return String(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `'${key}': ${python(member)}`)
    .join(', ')}}`;
}

const quotedPrintable = (text: string): string =>
  [...Buffer.from(text)]
    .map(byte => (byte === 0x3d || byte > 0x7e ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte)))
    .join('')
    .replace(/(.{60}(?!=?[0-9A-F]))/g, '$1=\r\n');
const yaml = `apiVersion: admission.k8s.io/v1
kind: AdmissionReview
request:
  uid: 705ab4f5-6393-11e8-b7cc-42010a800002
  name: web

  operation: CREATE
`;

describe('captures in a text', () => {
  it.each<[string, string, string]>([
    ['after the header of klog', `I1122 08:00:00.000000       1 main.go:42] got ${json}\n`, 'in.log:1:47'],
    [
      'in a quoted value of klog',
      `I1122 08:00:00.000000 1 main.go:42] "Got request" body=${JSON.stringify(json)} after="x"\n`,
      'in.log:1:57',
    ],
    ['in a member of a line of zap', `{"level":"info","ts":1,"msg":"handling"}\n{"level":"info","ts":2,"review":${json}}\n`, 'in.log:2:33'],
    ['in a string of a line of logrus', `{"level":"info","msg":${JSON.stringify(`body: ${json}`)},"time":"x"}\n`, 'in.log:1:30'],
    ['in a string in a string', `{"log":${JSON.stringify(`{"msg":${JSON.stringify(json)}}\n`)},"stream":"stdout"}\n`, 'in.log:1:20'],
    ['between other words, over several lines', `POST /mutate\nrequest: ${indented} done in 3 ms {ok}\n`, 'in.log:2:10'],
    ['as a dictionary of Python', `INFO:root:${python(review)}\n127.0.0.1 - - "POST / HTTP/1.1" 200 -\n`, 'in.log:1:11'],
    ['as bytes of Python', `DEBUG body b'${json.replaceAll('\\', '\\\\')}'\n`, 'in.log:1:14'],
    ['as indented bytes of Python', `DEBUG body b'${indented.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}'\n`, 'in.log:1:14'],
    ['in source code of Go', `var body = []byte(\`${indented}\`)\nfunc main() { f(map[string]int{"a": 1}) }\n`, 'in.log:1:20'],
    ['in strings that source code adds', `s := ${JSON.stringify(indented).replaceAll('\\n', '\\n" +\n\t"')}\n`, 'in.log:1:7'],
    [
      'as an object of JavaScript',
      `const review = {\n  // a comment\n  kind: 'AdmissionReview', apiVersion: "admission.k8s.io/v1",\n  request: ${json.slice(json.indexOf('{"uid'), -1)},\n};\n`,
      'in.log:1:16',
    ],
    ['quoted in a mail', `On Sunday Jane wrote:\n${indented.replace(/^/gm, '> ')}\n\nHello\n`, 'in.log:2:3'],
    [
      'in a mail in quoted-printable',
      `Content-Transfer-Encoding: quoted-printable\r\n\r\nHi,=20\r\n${quotedPrintable(indented)}\r\n`,
      'in.log:4:1',
    ],
    [
      'in an attachment in base64',
      `Content-Transfer-Encoding: base64\n\n${Buffer.from(indented)
        .toString('base64')
        .replace(/(.{76})/g, '$1\n')}\n`,
      'in.log:3:1',
    ],
    ['in base64 within JSON', `{"payload":"${Buffer.from(json).toString('base64')}"}\n`, 'in.log:1:13'],
    [
      'in lines that a container runtime has split',
      `2026-11-22T08:00:00.1Z stdout P got ${json.slice(0, 100)}\n2026-11-22T08:00:00.1Z stdout F ${json.slice(100)}\n`,
      'in.log:1:37',
    ],
    [
      'with the names of pods before the lines',
      `[pod/guard-1/server] ${indented.replaceAll('\n', '\n[pod/guard-1/server] ')}\n`,
      'in.log:1:22',
    ],
  ])('are found %s', (_, text, at) => {
    expect(found(text).read).toEqual([{ value: review, at, nameAt: expect.stringMatching(/^in\.log:\d+:\d+$/) }]);
  });

  it('are found in YAML between other lines, with the positions of their fields', () => {
    const text = `The review:\n\n  ${yaml.trimEnd().replaceAll('\n', '\n  ')}\n\nBye\n`;
    const value = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: request.uid, name: 'web', operation: 'CREATE' },
    };
    expect(found(text).read).toEqual([{ value, at: 'in.log:3:3', nameAt: 'in.log:7:5' }]);
    expect(found(`${yaml.replace(/^/gm, '> ')}> \n> Bye\n`).read).toEqual([{ value, at: 'in.log:1:3', nameAt: 'in.log:5:5' }]);
  });

  it('are found in YAML in source code', () => {
    const text = `const (\n\treview = \`\n${yaml}\`\n\tother = 1\n)\n`;
    expect(found(text).read).toMatchObject([{ at: 'in.log:3:1', nameAt: 'in.log:7:3', value: { request: { operation: 'CREATE' } } }]);
  });

  it('have positions in the file, not in the decoded text', () => {
    const text = `first line\n"body" ${JSON.stringify(json)}\n`;
    expect(found(text).read).toMatchObject([{ nameAt: `in.log:2:${(text.split('\n')[1] ?? '').indexOf('\\"name\\"') + 1}` }]);
  });

  it('are in the order of the file, each once', () => {
    const { read } = found(`received ${json}\nsending ${JSON.stringify(json)}\nreceived ${second}\n`);
    expect(read.map(({ at }) => at)).toEqual(['in.log:1:10', 'in.log:3:10']);
  });

  it('are requests that are logged without their review, with a warning', () => {
    const text = `{"level":"debug","request":${JSON.stringify(request)}}\n`;
    const { read, warnings } = found(text);
    expect(read).toMatchObject([{ value: review, nameAt: `in.log:1:${text.indexOf('"name"') + 1}` }]);
    expect(warnings).toEqual(['in.log:1:28: only the request of a review, without its version; admission.k8s.io/v1 is assumed']);
  });

  it('are no answers, unless there is nothing else', () => {
    const answer = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: 'a', allowed: true } });
    expect(found(`in ${json}\nout ${answer}\n`).read).toHaveLength(1);
    expect(found(`out ${answer}\n`).read).toMatchObject([{ at: 'in.log:1:5' }]);
  });

  it.each([
    ['a review that is cut off', `x ${json}\ny ${second.slice(0, 400)}\n`, 'in.log:2:4', 'the AdmissionReview is not complete'],
    [
      'an escaped review that is cut off',
      `x ${json}\ny ${JSON.stringify(second).slice(0, 400)}\n`,
      'in.log:2:5',
      'the AdmissionReview is not complete',
    ],
    ['a Go struct', `x ${json}\ny &AdmissionRequest{UID:705ab4f5-6393-11e8,Kind:/v1, Kind=Pod}\n`, 'in.log:2:4', 'printed as a Go struct'],
  ])('are errors when they cannot be read: %s', (_, text, at, error) => {
    expect(found(text).read).toMatchObject([{ at: 'in.log:1:3' }, { at, error: expect.stringContaining(error) }]);
  });

  it('are not found in other texts', () => {
    expect(found('{"kind":"Pod"} {{ .Values.a }} {a: 1} {"a": {"operation": "CREATE", "uid": "1", "kind": "b"}}\n').read).toEqual([]);
  });

  it('are found after texts that never end what they begin, in linear time', () => {
    const started = performance.now();
    const repeated = [
      ...[
        '{"',
        '{"a":',
        "{'a':",
        '{a:',
        '{\\"a\\":',
        '{\\"a\n',
        "{\n'a':",
        "'{'a' ",
        '{"kind":"AdmissionReview",',
        '{"operation":"{\\"operation\\":',
      ],
      ...['\\', '{\\u005c', '\\x', '{      ', '{#\n', '{\\"" +\n"', '> > >', '{"a":{"b":[', 'content-transfer-encoding: \n'],
    ];
    for (const text of repeated) {
      const { read } = found(`${text.repeat(100_000 / text.length)}\n${json}\n`);
      expect([text, read.at(-1)]).toMatchObject([text, { value: review }]);
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('are found in logs of which every line is JSON or begins like it', () => {
    const lines = [
      '{"level":"info","ts":1,"msg":"handling operation","pod":{"name":"web"}}',
      '{"level":"info","msg":"{\\"operation\\":\\"{x\\"}"}',
      'I1122 08:00:00.000000 1 main.go:42] "Got" body="{\\"a\\": 1}" err="it\'s {bad}"',
      'got &v1.AdmissionReviewList{Items: nil} {',
    ];
    const log = Array.from({ length: 20_000 }, (_, i) => `${lines[i % lines.length]}\n`).join('');
    const started = performance.now();
    expect(found(`${log}${json}\n${log}`).read).toEqual([{ value: review, at: 'in.log:20001:1', nameAt: expect.any(String) }]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('are at most 100 errors of each form', () => {
    const { read } = found(`${'{"kind":"AdmissionReview","request":{\n'.repeat(1000)}${json}\n`);
    expect(read.filter(one => 'error' in one)).toHaveLength(100);
    expect(read.at(-1)).toMatchObject({ value: review });
  });

  it('are not found in strings more than eight levels deep', () => {
    const nested = (levels: number) => Array.from({ length: levels }).reduce<string>(text => JSON.stringify({ log: text }), json);
    expect(found(nested(6)).read).toMatchObject([{ value: review }]);
    expect(found(nested(10)).read).toMatchObject([{ error: expect.stringContaining('is not complete') }]);
  });

  it('are not objects with numbers that no API server reads', () => {
    expect(found(`{"kind":"AdmissionReview","n":1e400}\n${json}\n`).read.at(-1)).toMatchObject({ value: review });
  });

  it.each([
    ['blocks of falling indentation', Array.from({ length: 500 }, (_, i) => `${' '.repeat(500 - i)}kind: AdmissionReview\n`).join('')],
    ['a kind in every line', 'kind: AdmissionReview\n'.repeat(10_000)],
  ])('are searched in YAML in linear time: %s', (_, text) => {
    const started = performance.now();
    expect(found(text).warnings.length).toBeLessThan(2);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
