import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { testFlags } from '../src/cli/options/test-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Test extends BaseCommand {
  static override summary = 'Run test suites against webhooks, and compare the results with snapshots.';

  static override description =
    'A path is a suite file (*.webhook-test.yaml), a folder of suites, or a folder of manifests, each of which is created in a case. Every case is sent as the API server would send it. ' +
    'The result is compared with the expectations of the suite and with the snapshot in __snapshots__; a different result is stored next to it until `snapshot review`.';

  static override usage = 'test [PATH...] [--url URL | --demo | --state PATH] [FLAGS]';

  static override examples = [
    {
      description: 'A folder of manifests against the embedded webhook',
      command: '<%= config.bin %> test manifests/ --demo',
    },
    {
      description: 'For a pull request: nothing is written, and every difference fails',
      command: '<%= config.bin %> test manifests/ --demo --check --reporter default --reporter junit=results.xml',
    },
  ];

  static override strict = false;
  static override args = {
    path: Args.string({ description: 'a suite file, a folder of suites or of manifests; the working folder by default' }),
  };
  static override flags = testFlags;

  async run(): Promise<ExitCode> {
    const { argv, options } = await this.readOptions(Test);
    const { runTest } = await import('../src/cli/commands/test/run-test.js');
    const command = { paths: argv.map(String), flags: options, given: this.givenOptions, toolVersion: this.toolVersion };
    return runTest(command, this.surroundings);
  }
}
