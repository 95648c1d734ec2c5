import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags, clusterFlags } from '../src/cli/options/call-flags.js';
import { withMember } from '../src/cli/options/option-flags.js';
import { openFlag, outputFlag } from '../src/cli/options/output-flags.js';
import { durationFlag, numberFlag } from '../src/cli/options/values.js';
import { webhookFlags } from '../src/cli/options/webhook-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

const search = { helpGroup: 'SEARCH' } as const;

export default class Fuzz extends BaseCommand {
  static override summary = 'Search for calls that break a webhook.';

  static override description =
    'Generates objects from the schemas of their kinds and makes calls with them through a reimplementation of the API server, so that only what could reach the webhook in a cluster reaches it. ' +
    'Each finding is reduced to the smallest manifest that still shows it. The exit code is 0 when nothing was found and 1 with findings.';

  static override usage = 'fuzz [SUITE | --url URL --kind RESOURCE | --state PATH | --exec COMMAND] [FLAGS]';

  static override examples = [
    {
      description: 'Search with pods and 200 calls; without --runs for 60 seconds',
      command:
        '<%= config.bin %> fuzz --url https://127.0.0.1:8443/validate --ca-file certs/ca.crt --phase validating --kind pods --runs 200',
    },
  ];

  static override args = {
    suite: Args.string({ description: 'a suite whose webhooks, process, cluster and manifests are used' }),
  };

  static override flags = {
    filename: callFlags.filename,
    recursive: callFlags.recursive,
    state: callFlags.state,
    ...clusterFlags,
    'enable-admission-plugins': callFlags['enable-admission-plugins'],
    'disable-admission-plugins': callFlags['disable-admission-plugins'],
    'kubernetes-version': callFlags['kubernetes-version'],
    as: callFlags.as,
    'as-uid': callFlags['as-uid'],
    'as-group': callFlags['as-group'],
    'as-user-extra': callFlags['as-user-extra'],
    ...webhookFlags,
    exec: Flags.string({
      helpGroup: 'WEBHOOK',
      helpValue: 'COMMAND',
      description: `the shell command that starts the webhook, and restarts it after a crash; \${PORT} and \${CERTS} are replaced as in suites`,
    }),
    kind: Flags.string({
      ...search,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'RESOURCE[.GROUP]',
      description: 'only these resources; repeatable',
    }),
    time: withMember(
      'timeMs',
      durationFlag({
        ...search,
        unit: 'Ms',
        minMs: 1,
        maxMs: 86_400_000,
        helpValue: '60s',
        description: 'how long to search; 60s by default',
      }),
    ),
    runs: numberFlag({
      ...search,
      min: 1,
      max: 2 ** 31 - 1,
      helpValue: 'N',
      description: 'the number of calls after which the search ends',
    }),
    check: Flags.string({ ...search, helpValue: 'NAME,...', description: 'only these checks; -NAME leaves one out' }),
    forbidden: Flags.string({
      ...search,
      helpValue: 'PATH',
      description: 'objects that must never exist: search for a way past the webhooks that refuse them, too',
    }),
    seed: callFlags.seed,
    now: callFlags.now,
    write: Flags.string({
      helpGroup: 'OUTPUT',
      helpValue: 'DIR',
      description: 'write the findings as a suite, which fails until the webhook is fixed',
    }),
    output: outputFlag(['text', 'json']),
    open: openFlag,
  };

  async run(): Promise<ExitCode> {
    const { args, options } = await this.readOptions(Fuzz);
    const { runFuzz } = await import('../src/cli/commands/fuzz/run-fuzz.js');
    return runFuzz(
      { suite: args.suite, flags: { ...options, toolVersion: () => this.toolVersion }, given: this.givenOptions },
      this.surroundings,
    );
  }
}
