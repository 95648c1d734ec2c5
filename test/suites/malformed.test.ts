import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = temporaryFolder());
});
afterAll(() => remove());

const head = 'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n';
const oneCase = 'cases:\n- name: a\n  filename: pod.yaml\n';

/** An invalid suite file and its error message: position, problem, suggestion. */
const malformed: readonly (readonly [what: string, text: string, sentence: string])[] = [
  ['an unknown field', `${head}urll: https://x/\n${oneCase}`, '3:1: a suite has no field "urll"; did you mean url?'],
  ['an unknown field of a case', `${head}${oneCase}  filname: x\n`, '6:3: cases[0] has no field "filname"; did you mean filename?'],
  [
    'an unknown expectation',
    `${head}${oneCase}  expect:\n    alowed: true\n`,
    '7:5: cases[0].expect has no field "alowed"; did you mean allowed?',
  ],
  [
    'a field that nothing resembles',
    `${head}${oneCase}  expect: {zzzzzz: 1}\n`,
    '6:12: cases[0].expect has no field "zzzzzz"; use one of allowed, code, reason, message, warnings, patch, object, called, auditAnnotations, failure',
  ],
  [
    'a text where a number has to be',
    `${head}${oneCase}  grace-period: "5"\n`,
    '6:3: invalid cases[0].grace-period: expected an integer from -1 to 2147483647, found the text "5"',
  ],
  [
    'a number where a duration has to be',
    `${head}timeout: 5\n${oneCase}`,
    '3:1: invalid timeout: expected a duration from 1s to 30s, in whole seconds, found the number 5',
  ],
  [
    'a duration out of range',
    `${head}timeout: 31s\n${oneCase}`,
    '3:1: invalid timeout "31s": expected a duration from 1s to 30s, in whole seconds',
  ],
  [
    'a duration with a part of a second',
    `${head}timeout: 1500ms\n${oneCase}`,
    '3:1: invalid timeout "1500ms": expected a duration from 1s to 30s, in whole seconds',
  ],
  ['a number out of range', `${head}${oneCase}  seed: -1\n`, '6:3: invalid cases[0].seed "-1": expected an integer from 0 to 4294967295'],
  [
    'a fraction',
    `${head}${oneCase}  expect: {code: 4.5}\n`,
    '6:12: invalid cases[0].expect.code: expected an integer from 0 to 999, found the number 4.5',
  ],
  ['a text instead of a boolean', `${head}demo: "yes"\n${oneCase}`, '3:1: invalid demo: expected true or false, found the text "yes"'],
  [
    'a number where a text has to be',
    `${head}${oneCase}  as: 5\n`,
    '6:3: invalid cases[0].as: expected a string, found the number 5; put it in quotes',
  ],
  [
    'a word that is none of those known',
    `${head}${oneCase}  operation: creat\n`,
    '6:3: invalid cases[0].operation "creat": expected one of create, update, patch, apply, delete, deletecollection, connect',
  ],
  ['a map instead of a list', `${head}cases: {a: 1}\n`, '3:1: invalid cases: expected a list, found the map {"a":1}'],
  ['a text instead of a map', `${head}cases: [a]\n`, '3:9: invalid cases[0]: expected a map, found the text "a"'],
  [
    'a newer version',
    `apiVersion: webhook-cli.dev/v2\nkind: Suite\n${oneCase}`,
    '1:1: apiVersion is "webhook-cli.dev/v2", of a newer version of webhook-cli; update webhook-cli',
  ],
  [
    'the version of something else',
    `apiVersion: v1\nkind: Suite\n${oneCase}`,
    '1:1: apiVersion is "v1", which is not the apiVersion of a suite; write webhook-cli.dev/v1alpha1',
  ],
  ['no version', `kind: Suite\n${oneCase}`, '1:1: the suite has no apiVersion; start it with apiVersion: webhook-cli.dev/v1alpha1'],
  [
    'another kind',
    `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suit\n${oneCase}`,
    '2:1: invalid kind: expected Suite, found the text "Suit"',
  ],
  [
    'two cases of one name',
    `${head}${oneCase}- name: a\n  filename: b.yaml\n`,
    '6:3: duplicate case name "a", also used in line 4; use unique names',
  ],
  ['no cases at all', head, '1:1: the suite has no cases'],
  ['an empty list of cases', `${head}cases: []\n`, '3:1: cases is empty: there is nothing to run'],
  ['a case without a name', `${head}cases:\n- filename: a.yaml\n`, '4:3: cases[0] has no name; add a unique name'],
  [
    'a case without a call',
    `${head}cases:\n- name: a\n`,
    '4:3: cases[0] has no call; add filename: with a manifest, or call: with exact HTTP calls',
  ],
  [
    'a regular expression that is none',
    `${head}${oneCase}  expect:\n    message: {matches: "a(b"}\n`,
    '7:15: cases[0].expect.message.matches is not a valid regular expression: error parsing regexp: missing closing ): `a(b`; write it in the syntax of RE2',
  ],
  [
    'a regular expression that only backtracking can match',
    `${head}${oneCase}  expect:\n    message: {matches: '(a)\\1'}\n`,
    '7:15: cases[0].expect.message.matches is not a valid regular expression: error parsing regexp: invalid escape sequence: `\\1`; write it in the syntax of RE2',
  ],
  [
    'a path that cannot be read',
    `${head}${oneCase}  expect:\n    object:\n    - path: spec.[x\n      absent: true\n`,
    '8:7: cases[0].expect.object[0].path is the path "spec.[x", which is invalid at ".[x"; quote keys with dots or spaces, as in metadata.annotations["example.com/key"]',
  ],
  [
    'two answers about one path',
    `${head}${oneCase}  expect:\n    object:\n    - {path: spec, absent: true, equals: 1}\n`,
    '8:7: invalid cases[0].expect.object[0]: expected a map with path and one of equals, matches or absent, found the map {"absent":true,"equals":1,"path":"spec"}',
  ],
  [
    'a check that is none',
    `${head}${oneCase}  checks: [idempotence]\n`,
    '6:12: cases[0].checks[0] is "idempotence", which is not a valid check; did you mean idempotent?',
  ],
  [
    'a scenario that is none',
    `${head}${oneCase}  scenarios: [creat]\n`,
    '6:15: cases[0].scenarios[0] is "creat", which is not a valid scenario; did you mean create?',
  ],
  [
    'scenarios and an operation',
    `${head}${oneCase}  operation: update\n  scenarios: all\n`,
    '4:3: cases[0] has both scenarios and operation; remove operation: each scenario has its own',
  ],
  [
    'a conversion and an operation',
    `${head}${oneCase}  to: v1\n  operation: update\n`,
    '7:3: cases[0].operation is a field of API calls, but this case converts; omit it',
  ],
  [
    'a conversion and further questions of API calls',
    `${head}${oneCase}  round-trip: true\n  checks: [idempotent]\n`,
    '7:3: cases[0].checks is a field of API calls, but this case converts; omit it',
  ],
  [
    'a conversion and a flag of API calls in its matrix',
    `${head}${oneCase}  matrix: {to: [v1], as: [jane]}\n`,
    '6:22: cases[0].matrix has no field "as"; use one of filename, recursive, namespace, to, round-trip, ignore-field, state, context, kubeconfig, cluster-timeout, kubernetes-version, seed, now',
  ],
  [
    'a conversion of nothing',
    `${head}cases:\n- {name: a, to: v1}\n`,
    '4:3: cases[0] has nothing to convert; add filename: with a custom resource',
  ],
  [
    'a conversion to no version',
    `${head}${oneCase}  round-trip: false\n`,
    '4:3: cases[0] has no version; add to: with one, or all, or round-trip: true',
  ],
  [
    'a version that is a number',
    `${head}${oneCase}  to: 1\n`,
    '6:3: invalid cases[0].to: expected a string or a list of strings, found the number 1; put it in quotes',
  ],
  [
    'an expectation of API calls about a conversion',
    `${head}${oneCase}  to: v1\n  expect: {allowed: true}\n`,
    '7:12: cases[0].expect.allowed is about API calls, but the case converts; expect converted, message, failure, object, lost, findings',
  ],
  [
    'an expectation of conversions about an API call',
    `${head}${oneCase}  expect: {lost: []}\n`,
    '6:12: cases[0].expect.lost is about conversions, but the case makes an API call; add to: with a version, or round-trip: true',
  ],
  [
    'an unknown expectation of a conversion',
    `${head}${oneCase}  to: v1\n  expect: {convertd: true}\n`,
    '7:12: cases[0].expect has no field "convertd"; did you mean converted?',
  ],
  [
    'an expectation about round trips without one',
    `${head}${oneCase}  to: v1\n  expect: {lost: [spec.a]}\n`,
    '7:12: cases[0].expect.lost is about round trips, but the case has none; add round-trip: true',
  ],
  [
    'an expectation about converted objects without a version',
    `${head}${oneCase}  round-trip: true\n  expect: {object: [{path: spec, absent: true}]}\n`,
    '7:12: cases[0].expect.object is about converted objects, but the case has no version; add to: with one, or all',
  ],
  [
    'a version with its group in an expectation',
    `${head}${oneCase}  to: v1\n  expect: {object: [{to: example.com/v1, path: spec, absent: true}]}\n`,
    '7:22: invalid cases[0].expect.object[0].to "example.com/v1": expected a version without its group',
  ],
  [
    'an invalid path of a lost field',
    `${head}${oneCase}  round-trip: true\n  expect: {lost: ["spec.[x"]}\n`,
    '7:19: cases[0].expect.lost[0] is the path "spec.[x", which is invalid at ".[x"; quote keys with dots or spaces, as in metadata.annotations["example.com/key"]',
  ],
  [
    'one URL for two kinds of reviews',
    `${head}url: https://127.0.0.1:1/\n${oneCase}- name: b\n  filename: b.yaml\n  to: v1\n`,
    '3:1: url is a single URL, but the case "b" converts while others make API calls; use services: with the paths of configurations and definitions, or split the suite in two',
  ],
  [
    'an unknown flag in a matrix',
    `${head}${oneCase}  matrix: {operatoin: [create]}\n`,
    '6:12: cases[0].matrix has no field "operatoin"; did you mean operation?',
  ],
  ['an empty matrix', `${head}${oneCase}  matrix: {as: []}\n`, '6:12: cases[0].matrix.as is an empty list: no case would be left'],
  ['a duplicate key', `${head}demo: true\ndemo: false\n${oneCase}`, '4:7: key "demo" already set in map'],
  ['two documents', `${head}${oneCase}---\n${head}${oneCase}`, '7:1: a suite file has exactly one document'],
  ['an empty file', '', '1:1: the suite is empty'],
  [
    'a tab',
    `${head}cases:\n\t- name: a\n`,
    '4:1: error converting YAML to JSON: yaml: line 4: found character that cannot start any token',
  ],
  [
    'an empty command',
    `${head}exec: {command: []}\n${oneCase}`,
    '3:8: invalid exec.command: expected a program and its arguments, found the list []',
  ],
  [
    'an API server without a process',
    `${head}apiserver: true\n${oneCase}`,
    `3:1: apiserver has no meaning without exec; add exec: with a process that reads \${KUBECONFIG}`,
  ],
  [
    'an API server of another type',
    `${head}exec: a\napiserver: [a]\n${oneCase}`,
    '4:1: invalid apiserver: expected true, or a map with state, found the list ["a"]',
  ],
  [
    'an unknown member of the API server',
    `${head}exec: a\napiserver: {port: 1}\n${oneCase}`,
    '4:13: apiserver has no field "port"; use one of state',
  ],
  [
    'a process that names an API server which the suite refuses',
    `${head}exec: a \${KUBECONFIG}\napiserver: false\n${oneCase}`,
    `4:1: apiserver is false, but exec names \${KUBECONFIG}`,
  ],
  [
    'an invalid service name',
    `${head}services: {webhook: "https://127.0.0.1:1"}\n${oneCase}`,
    '3:12: services.webhook is not a valid service; write NAMESPACE/NAME, with :PORT if needed',
  ],
];

describe('a suite file', { timeout: 30_000 }, () => {
  it.each(malformed.map(([what, text, sentence]) => ({ what, text, sentence })))('is invalid with $what', async ({ text, sentence }) => {
    writeFileSync(path.join(folder, 'a.webhook-test.yaml'), text);
    const { exitCode, stderr, stdout } = await runCommand(Test, ['a.webhook-test.yaml'], { cwd: folder });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 3, stdout: '', stderr: `error: a.webhook-test.yaml:${sentence}\n` });
  });

  it.each([
    ['every case is skipped', 'cases: [{name: a, filename: a.yaml, skip: later}]', [], 'error: no tests ran: every case is skipped\n'],
    [
      'a case says only, and CI must not hide the others',
      'cases: [{name: a, filename: a.yaml, only: true}]',
      ['--check'],
      'error: a.webhook-test.yaml:3:9: the case "a" has only: true, which would skip all other cases; remove it\n',
    ],
  ])('runs no case when %s', async (_, cases, argv, stderr) => {
    writeFileSync(path.join(folder, 'a.webhook-test.yaml'), `${head}${cases}\n`);
    expect(await runCommand(Test, ['a.webhook-test.yaml', ...argv], { cwd: folder })).toEqual({ exitCode: 3, stdout: '', stderr });
  });

  it('is rejected as a whole when one of several is invalid', async () => {
    mkdirSync(path.join(folder, 'several'), { recursive: true });
    writeFileSync(path.join(folder, 'several/a.webhook-test.yaml'), `${head}demo: true\n${oneCase}`);
    writeFileSync(path.join(folder, 'several/b.webhook-test.yaml'), `${head}x: 1\n${oneCase}`);
    const { exitCode, stderr, stdout } = await runCommand(Test, ['several'], { cwd: folder });
    expect([exitCode, stdout, stderr.startsWith('error: several/b.webhook-test.yaml:3:1: ')]).toEqual([3, '', true]);
  });
});
