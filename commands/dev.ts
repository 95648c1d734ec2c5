import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { openOption } from '../src/cli/options/output-options.js';
import { suiteFlags } from '../src/cli/options/test-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { inputOptions } from '../src/client/options/call-options.js';
import { textOption } from '../src/client/options/option.js';

export default class Dev extends BaseCommand {
  static override summary = 'Run a webhook while you change it, and show what each change does to its answers.';

  static override description =
    'Starts the webhook on a free port with certificates, as suites do, makes the calls of the suite or of -f, and makes them again when a manifest, ' +
    'the state, the suite or the code changes; a change of the code restarts the webhook. Shows the calls whose decision or object differs from the last time. ' +
    'Snapshots are neither compared nor written. On a terminal: r makes all calls again with a new process, f shows failures only, d shows what the webhooks change, q ends.';

  static override usage = 'dev [SUITE | --exec COMMAND -f PATH] [FLAGS]';

  static override examples = [
    { description: 'With the suite of a project, such as that of init', command: '<%= config.bin %> dev webhook-tests' },
    {
      description: 'Without a suite',
      command: `<%= config.bin %> dev --exec 'node server.mjs $\{PORT} $\{CERTS}' --url 'https://127.0.0.1:$\{PORT}/validate' -f manifests/`,
    },
    {
      description: 'With the configurations of a cluster, all of whose services listen at that port',
      command: `<%= config.bin %> dev --exec 'go run . --port $\{PORT} --cert-dir $\{CERTS}' --state cluster/ -f pod.yaml`,
    },
  ];

  static override args = { suite: Args.string({ description: 'a suite file or a folder with suites; the working folder by default' }) };

  static override flags = {
    ...flagsOfOptions({
      exec: {
        ...textOption,
        group: 'WEBHOOK',
        placeholder: 'COMMAND',
        description: `the shell command that starts the webhook; \${PORT}, \${CERTS} and \${KUBECONFIG} are replaced as in suites`,
      },
      filename: inputOptions.filename,
      recursive: inputOptions.recursive,
      open: openOption,
    }),
    ...suiteFlags,
  };

  async run(): Promise<ExitCode> {
    const { args, options } = await this.readOptions(Dev);
    const { runDev } = await import('../src/cli/commands/dev/run-dev.js');
    return runDev({ suite: args.suite, flags: options, given: this.givenOptions, toolVersion: () => this.toolVersion }, this.surroundings);
  }
}
