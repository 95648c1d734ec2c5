import { Args } from '@oclif/core';
import { fuzzOptions } from '../src/cli/commands/fuzz/fuzz-options.js';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

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

  static override flags = flagsOfOptions(fuzzOptions);

  async run(): Promise<ExitCode> {
    const { args, options } = await this.readOptions(Fuzz);
    const { runFuzz } = await import('../src/cli/commands/fuzz/run-fuzz.js');
    return runFuzz(
      { suite: args.suite, flags: { ...options, toolVersion: () => this.toolVersion }, given: this.givenOptions },
      this.surroundings,
    );
  }
}
