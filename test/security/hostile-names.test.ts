import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Completion from '../../commands/completion.js';
import Diagnose from '../../commands/diagnose.js';
import Init from '../../commands/init.js';
import Lint from '../../commands/lint.js';
import Replay from '../../commands/replay.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { isTemplate } from '../../src/cli/commands/init/templates.js';
import { executables } from '../../src/envtest/folder/executables.js';
import { printable, visible } from '../../src/writers/printable.js';
import { pathWord, shellCommand } from '../../src/writers/shell.js';
import { type CommandClass, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { hostileNames, nameCount } from './names/hostile-names.js';
import { type Parsed, parsedHtml, parsedJson, parsedMarkdown, parsedXml, parsedYaml } from './names/structure.js';
import { shownArguments, wordsBySh } from './names/words-by-sh.js';

const names = hostileNames(nameCount);

const policy = {
  ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p' } },
  spec: {
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
    validations: [{ expression: 'false', messageExpression: "string(object.metadata.annotations['text'])" }],
  },
};
const binding = {
  ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'p' } },
  spec: { policyName: 'p', validationActions: ['Deny'] },
};
const hooks = (name: string): object => ({
  ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name } },
  webhooks: [
    {
      ...{ name, admissionReviewVersions: ['v1'], sideEffects: 'None' },
      clientConfig: { service: { namespace: 'shop', name: 'guard', path: '/validate' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
  ],
});
const pod = (name: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', annotations: { text: `x${name}x` } } },
  spec: { containers: [{ name: 'a', image: 'a:1', args: [name] }] },
});
const event = (name: string): object => ({
  ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'RequestResponse', auditID: name, stage: 'ResponseComplete' },
  ...{ requestURI: '/api/v1/namespaces/default/pods', verb: 'create', user: { username: name, groups: [name] }, userAgent: name },
  objectRef: { resource: 'pods', namespace: 'default', name: 'a', apiVersion: 'v1' },
  ...{ responseStatus: { metadata: {}, code: 201 }, requestObject: pod(name), responseObject: pod(name) },
  ...{ requestReceivedTimestamp: '2026-11-23T19:20:40.686174Z', stageTimestamp: '2026-11-23T19:20:40.688887Z' },
});

let folder: string;
let remove: () => void;
beforeAll(() => {
  ({ folder, remove } = temporaryFolder({
    ...shownArguments,
    'policy.json': JSON.stringify([policy, binding].map(one => JSON.stringify(one)).join('\n---\n')),
  }));
  writeFileSync(path.join(folder, 'policy.json'), [policy, binding].map(one => JSON.stringify(one)).join('\n---\n'));
  for (const name of readdirSync(path.join(folder, 'bin'))) chmodSync(path.join(folder, 'bin', name), 0o755);
});
afterAll(() => {
  // No name was a command.
  expect(readdirSync(folder).filter(name => name === 'PWNED')).toEqual([]);
  remove();
});

/** Runs a command in the folder, in which a file is written for the time of the run. */
async function run(command: CommandClass, argv: readonly string[], file: readonly [name: string, contents: string]): Promise<string> {
  const place = path.join(folder, file[0]);
  writeFileSync(place, file[1]);
  try {
    const { stdout, stderr, exitCode } = await runCommand(command, argv, {
      cwd: folder,
      env: { NO_COLOR: '1', HOME: folder },
      isTerminal: true,
    });
    expect({ ...file, exitCode, stderr, isEmpty: stdout === '' }).toEqual({
      ...file,
      exitCode: expect.any(Number),
      stderr: expect.any(String),
      isEmpty: false,
    });
    expect([2, 70]).not.toContain(exitCode);
    return stdout;
  } finally {
    rmSync(place);
  }
}

/** White space is not that of the text in HTML. */
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

type Parser = (text: string) => Parsed;
const exact = (name: string): string => name;
/** The API server does not take messages with line breaks. */
const ofMessage = (name: string): string => (name.includes('\n') ? 'failed expression: false' : name);
const asPrinted = (name: string): string => squeezed(printable(name));
const shown = (name: string): string => squeezed(visible(name));

/** A command, its arguments for a file, the contents of the file, the parser of its output, and how the name is found in it. */
type Row = readonly [
  title: string,
  command: CommandClass,
  argv: (file: string) => readonly string[],
  ending: string,
  contents: (name: string) => string,
  parse: Parser,
  value: (name: string) => string,
];

const reviewed = (file: string): readonly string[] => ['-f', pathWord(file), '--state', 'policy.json'];
const suite = (name: string): string =>
  JSON.stringify({
    ...{ apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Suite', state: ['policy.json'], demo: true, snapshot: false },
    cases: [{ name, filename: 'pod.json', expect: { allowed: true } }],
  });
const one =
  (make: (name: string) => object): ((name: string) => string) =>
  name =>
    JSON.stringify(make(name));
const reviewRow = (output: string, parse: Parser, value: Row[6]): Row => [
  `review -o ${output}`,
  Review,
  file => [...reviewed(file), '-o', output],
  '.yaml',
  one(pod),
  parse,
  value,
];
const testRow = (reporter: string, parse: Parser, value: Row[6]): Row => [
  `test --reporter ${reporter}`,
  Test,
  file => [pathWord(file), '--reporter', reporter],
  '.webhook-test.yaml',
  suite,
  parse,
  value,
];
const lintRow = (output: string, parse: Parser, value: Row[6]): Row => [
  `lint -o ${output}`,
  Lint,
  file => ['-f', pathWord(file), '-o', output],
  '.yaml',
  one(hooks),
  parse,
  value,
];
const replayRow = (output: string, parse: Parser, value: Row[6]): Row => [
  `replay -o ${output}`,
  Replay,
  file => [...reviewed(file), '-o', output],
  '.log',
  one(event),
  parse,
  value,
];

const rows: readonly Row[] = [
  reviewRow('json', parsedJson, ofMessage),
  reviewRow('yaml', parsedYaml, ofMessage),
  reviewRow('html', parsedHtml, name => visible(ofMessage(name))),
  testRow('json', parsedJson, exact),
  testRow('junit', parsedXml, visible),
  testRow('sarif', parsedJson, exact),
  testRow('markdown', parsedMarkdown, asPrinted),
  testRow('html', parsedHtml, shown),
  lintRow('json', parsedJson, exact),
  lintRow('sarif', parsedJson, exact),
  lintRow('gitlab', parsedJson, exact),
  replayRow('json', parsedJson, exact),
  replayRow('markdown', parsedMarkdown, asPrinted),
  replayRow('html', parsedHtml, shown),
];

describe(`${names.length} names of strangers`, { timeout: 20_000 + nameCount * 1000 }, () => {
  it('are that many, and contain what is syntax somewhere', () => {
    expect(names.length).toBe(nameCount);
    const syntax = ['"', "'", '\n', '$(', '`', '-->', ']]>', '\u2028', '\u001b', '\u202e', '::', '##', '<', '\\', '${', '{{', ': ', ' #'];
    expect(syntax.filter(one => !names.some(name => name.includes(one)))).toEqual([]);
    expect(names.filter(name => name.startsWith('-')).length).toBeGreaterThan(1);
  });

  it.each(rows)('are values in %s, and add nothing', async (_, command, argv, ending, contents, parse, value) => {
    const output = async (name: string): Promise<string> => {
      const file = `${name}${ending}`;
      // The object of the suites.
      writeFileSync(path.join(folder, 'pod.json'), JSON.stringify(pod(name)));
      return run(command, argv(file), [file, contents(name)]);
    };
    const { structure } = parse(await output('plain'));
    for (const name of names) {
      const found = parse(await output(name));
      const wanted = value(name);
      expect({ name, structure: found.structure }).toEqual({ name, structure });
      expect({
        name,
        isThere: found.texts.some(text => [text, squeezed(text), visible(text)].some(form => form.includes(wanted))),
      }).toEqual({
        name,
        isThere: true,
      });
    }
  });

  it('come back from sh when a command is made of them', () => {
    const words = names.map(name => ['kubectl', name, `--flag=${name}`, `${name}\n`]);
    const commands = words.map(each => shellCommand(each));
    expect(wordsBySh(commands, folder)).toEqual(words);
    expect(commands.map(printable)).toEqual(commands);
  });

  it('come back from sh in the kubectl command of review, and in -o curl', async () => {
    const commands: string[] = [];
    const curls: string[] = [];
    for (const name of names) {
      const file = `${name}.yaml`;
      const text = await run(Review, reviewed(file), [file, JSON.stringify(pod(name))]);
      commands.push(/^# (kubectl [\s\S]*?)\nThe pods /m.exec(text)?.[1] ?? '');
      const curl = await run(Review, ['-f', pathWord(file), '--demo', '-o', 'curl'], [file, JSON.stringify(pod(name))]);
      curls.push(curl.replace(/^.*? \| /gm, ''));
    }
    expect(wordsBySh(commands, folder)).toEqual(names.map(name => ['kubectl', 'create', '-f', pathWord(`${name}.yaml`)]));
    const bodies = wordsBySh(curls, folder).map(words => words.filter((_, i) => words[i - 1] === '--data-binary'));
    expect(bodies.map(each => each.map(body => JSON.parse(body).request.object.metadata.annotations.text))).toEqual(
      names.map(name => [`x${name}x`, `x${name}x`]),
    );
  });

  it('come back from sh in the command that repeats a call of replay', async () => {
    const commands: string[] = [];
    for (const name of names) {
      const file = `${name}.log`;
      const text = await run(Replay, reviewed(file), [file, JSON.stringify(event(name))]);
      commands.push(/^ *repeat the first: (webhook-cli [\s\S]*?)\n(?=\n|[a-z0-9])/m.exec(text)?.[1] ?? '');
    }
    expect(wordsBySh(commands, folder)).toEqual(
      names.map(name => [
        ...['webhook-cli', 'replay', '-f', pathWord(`${name}.log`), '--state', 'policy.json'],
        ...(name.startsWith('-') ? [`--only=${name}`] : ['--only', name]),
      ]),
    );
  });

  it('come back from sh in the command that reproduces an error', async () => {
    const reproducing: string[] = [];
    for (const name of names) {
      const text = `Error from server (InternalError): error when creating ${JSON.stringify(`${name}.yaml`)}: Internal error occurred: failed calling webhook ${JSON.stringify(name)}: failed to call webhook: Post "https://guard.shop.svc:443/validate?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused`;
      const { stdout } = await runCommand(Diagnose, ['-', '-o', 'json'], { cwd: folder, stdin: text });
      const commands: { reproduce: { command: string } }[] = JSON.parse(stdout).errors ?? [];
      reproducing.push(...commands.map(({ reproduce }) => reproduce.command));
    }
    for (const words of wordsBySh(reproducing, folder)) expect(words[0]).toBe('webhook-cli');
  });

  it('come back from sh when bash completes the name of a context', async () => {
    const kubeconfig = { apiVersion: 'v1', kind: 'Config', contexts: names.map(name => ({ name, context: {} })) };
    writeFileSync(path.join(folder, 'kubeconfig'), JSON.stringify(kubeconfig));
    const { stdout } = await runCommand(Completion, ['bash', 'contexts'], { cwd: folder, env: { KUBECONFIG: 'kubeconfig' } });
    const offered = stdout.split('\n').slice(0, -1);
    expect(offered.length).toBeGreaterThan(names.length / 4);
    const words = wordsBySh(
      offered.map(word => `kubectl ${word}`),
      folder,
    );
    expect(words.map(([, name]) => name).filter(name => !names.includes(name ?? ''))).toEqual([]);
  });

  it('are values in the files of init, and in the command that it prints next', async () => {
    const tried = names.filter(each => !isTemplate('', JSON.stringify(hooks(each))));
    const commands: string[] = [];
    for (const name of tried) {
      const made = temporaryFolder({ [`${name}/hooks.json`]: JSON.stringify(hooks(name), null, 1) });
      const { stdout, exitCode } = await runCommand(Init, [pathWord(name), '--ci', 'github'], { cwd: made.folder, env: { HOME: folder } });
      const text = (file: string): string => readFileSync(path.join(made.folder, name, file), 'utf8');
      const [suiteText, flags, workflow] = [
        'webhook-tests/first.webhook-test.yaml',
        'webhook-cli.yaml',
        '.github/workflows/webhook-tests.yaml',
      ].map(text);
      made.remove();
      expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
      expect({ name, structure: parsedYaml(suiteText ?? '').structure }).toEqual({ name, structure: plainSuite });
      expect(parsedYaml(suiteText ?? '').texts).toContain(name);
      expect(parsedYaml(flags ?? '').texts).toEqual(['v1.37', 'hooks.json', 'certs/ca.crt', 'shop/guard=https://127.0.0.1:8443']);
      expect(parsedYaml(workflow ?? '').texts.some(value => value.includes(name) && name.length > 8)).toBe(false);
      commands.push(/^next: (webhook-cli [\s\S]*)\n$/m.exec(stdout)?.[1] ?? '');
    }
    expect(wordsBySh(commands, folder)).toEqual(
      tried.map(name => ['webhook-cli', 'test', path.join(name, 'webhook-tests').replace(/^-/, './-')]),
    );
  });

  it('start the program from the executables of envtest', () => {
    const folders = names.map(name => {
      const made = temporaryFolder({ [`${name}/node`]: '#!/bin/sh\nprintf \'%s\\0\' "$@"\n' });
      const command = path.join(made.folder, name, 'node');
      chmodSync(command, 0o755);
      const program = { command, script: `${name}.js`, kubernetesVersion: 'v1.36', release: 'v1.36.3' };
      for (const [file, text] of executables(program, 'linux')) writeFileSync(path.join(made.folder, file), text);
      return made;
    });
    const words = wordsBySh(
      folders.map(made => `sh ${made.folder}/kube-apiserver --x`),
      folder,
    );
    const versions = wordsBySh(
      folders.map(made => `sh ${made.folder}/etcd --version; printf '\\0'`),
      folder,
    );
    for (const made of folders) made.remove();
    expect(words).toEqual(names.map(name => [`${name}.js`, 'controlplane', 'kube-apiserver', 'v1.36', '--x']));
    expect(versions).toEqual(names.map(() => ['etcd Version: 3.6.0\n']));
  });
});

const plainSuite = parsedYaml(
  JSON.stringify({
    ...{ apiVersion: '', kind: '', services: { 'shop/guard': '' }, state: [''], snapshot: false },
    cases: [{ name: '', filename: '', expect: { called: [''] } }],
  }),
).structure;
