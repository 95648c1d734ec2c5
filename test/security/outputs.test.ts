import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { type CommandClass, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Texts that a terminal, a browser or GitHub's runner would obey. */
const hostile = [
  '\u001b[31m',
  '\u0007',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\u202e',
  '\u2066',
  '</script><script>x</script>',
  '\n::error::x',
  '\r::stop-commands::x',
  'and ##[set-output name=x]y',
  'and ##vso[task.setvariable variable=x]y',
  'and ##teamcity[x]',
];
const message = `a ${hostile.join(' b ')} c`;
const list = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'hostile' },
  spec: {
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
    validations: [{ expression: 'false', messageExpression: "string(object.metadata.annotations['text'])" }],
  },
};
const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'hostile' },
  spec: { policyName: 'hostile', validationActions: ['Deny', 'Audit'] },
};
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', annotations: { text: message } },
  spec: { containers: [{ name: 'a', image: 'a:1', args: [message] }] },
};
/** The API server quotes what it refuses. */
const invalid = {
  ...pod,
  metadata: { name: 'b', labels: { [message]: message } },
  spec: { containers: [{ name: message, image: message }] },
};

let attacked: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  attacked = temporaryFolder({ 'state/policy.json': list([policy, binding]) });
  writeFileSync(path.join(attacked.folder, 'pods.json'), list([pod, invalid]));
  const expression = `object.x == ${JSON.stringify(message)}`;
  writeFileSync(
    path.join(attacked.folder, 'lint.json'),
    list([{ ...policy, spec: { ...policy.spec, validations: [{ expression, message }] } }, pod]),
  );
});
afterAll(() => attacked.remove());

const outputs = (names: string, flag = '-o'): string[][] => names.split(' ').map(name => [flag, name]);
const rows: readonly (readonly [string, CommandClass, readonly string[]])[] = [
  ...outputs('text json yaml diff name request response object patch curl').map(
    output => [`review ${output.join(' ')}`, Review, ['-f', 'pods.json', '--state', 'state', '--demo', ...output]] as const,
  ),
  ...outputs('default json junit markdown sarif tap github html', '--reporter').map(
    reporter => [`test ${reporter.join(' ')}`, Test, ['pods.json', '--state', 'state', '--demo', ...reporter]] as const,
  ),
  ...outputs('text json sarif github gitlab').map(output => [`lint ${output.join(' ')}`, Lint, ['-f', 'lint.json', ...output]] as const),
  ...outputs('text json').map(output => [`match ${output.join(' ')}`, Match, ['-f', 'pods.json', '--state', 'state', ...output]] as const),
];

describe('hostile text', { timeout: 60_000 }, () => {
  it.each(rows)('shows nothing unprintable on a terminal, and commands no runner: %s', async (_, command, argv) => {
    const { stdout, stderr, exitCode } = await runCommand(command, argv, {
      cwd: attacked.folder,
      env: { NO_COLOR: '1', GITHUB_ACTIONS: 'true', HOME: attacked.folder },
      isTerminal: true,
    });
    const shown = stdout + stderr;
    expect([[2, 3, 70].includes(exitCode) && shown, shown.length > 0]).toEqual([false, true]);
    // Everything of C0 but the end of a line and the tab, C1, and the marks that change the direction of text.
    expect(shown.match(/[^\n\t\x20-\x7e\u00a0-\u061b\u061d-\u200d\u2010-\u2029\u202f-\u2065\u206a-\ufefe\uff00-\uffff]/g)).toBeNull();
    if (argv.includes('html')) expect(shown).not.toContain('<script>x</script>');
    // Only annotations of our own start a line.
    expect(shown.match(/^\s*::(?:error::x|stop-commands).*$/gm)).toBeNull();
    // The runner finds these anywhere in a line, unless it begins with a command of the new form. Bodies are shown as they are.
    if (!['github', 'request', 'patch', 'curl'].some(name => argv.includes(name))) expect(shown.match(/##[a-z]*\[/)).toBeNull();
  });
});
