import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags, podFlags } from '../src/cli/options/call-flags.js';
import { callJobs } from '../src/cli/options/jobs-option.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { includeOption, openOption, outputOption } from '../src/cli/options/output-options.js';
import { againstFlags, calledFlags, checkFlags, compareFlags, forwardFlags, webhookFlags } from '../src/cli/options/webhook-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { free, one, onOff } from '../src/client/options/option.js';
import { upgradeValue } from '../src/client/options/version-values.js';
import { reportFormatNames } from '../src/reports/report-formats.js';

export default class Review extends BaseCommand {
  static override summary = 'Call webhooks as the API server would for an API call, and print what the client would get.';

  static override description =
    "Makes the API call that kubectl would make for the manifest, and runs it through a reimplementation of the API server's admission, which calls the webhooks. " +
    'The exit code is 0 when the call is allowed, 1 when it is refused, 4 when a webhook cannot be called and 5 when its answer is invalid.';

  static override usage = 'review -f PATH [--url URL | --demo | --state PATH] [FLAGS]';

  static override examples = [
    {
      description: 'See the embedded reference webhook change a pod',
      command: '<%= config.bin %> review --demo -f pod.yaml',
    },
    {
      description: 'Call your own webhook',
      command: '<%= config.bin %> review --url https://127.0.0.1:8443/mutate --ca-file certs/ca.crt -f pod.yaml',
    },
    {
      description: 'Use the webhook configurations of a cluster, with a service that listens here',
      command:
        '<%= config.bin %> review --state cluster/ --service shop/guard=https://127.0.0.1:8443 --ca-file certs/ca.crt -f pod.yaml -o json',
    },
    {
      description: 'Compare the answers with those of a cluster, which gets the same calls as dry runs',
      command: '<%= config.bin %> review --against-cluster --context staging -f pod.yaml',
    },
    {
      description: 'See which webhook of a cluster changes a pod: each is called through the API server, and nothing is created',
      command: '<%= config.bin %> review --context staging --forward -f pod.yaml',
    },
    {
      description: 'Send a captured AdmissionReview, or a recording of `proxy`, as it is',
      command: '<%= config.bin %> review --url https://127.0.0.1:8443/mutate --ca-file certs/ca.crt -f review.json',
    },
    {
      description: 'Update a stored object',
      command: '<%= config.bin %> review --demo --operation update --old pod.yaml -f pod.yaml',
    },
  ];

  static override flags = {
    ...callFlags,
    ...webhookFlags,
    ...checkFlags,
    ...calledFlags,
    ...compareFlags,
    ...againstFlags,
    ...forwardFlags,
    ...podFlags,
    ...flagsOfOptions({
      ...callJobs,
      keepUid: { ...onOff, ...free, group: 'CALL', description: 'send captured reviews with their own uid, not a new one' },
      upgrade: {
        ...one(upgradeValue),
        ...free,
        group: 'CLUSTER',
        placeholder: 'FROM:TO',
        description:
          'make the calls with two versions of the API server, such as v1.34:v1.36, and print the differences; exit code 1 when there are any',
      },
      output: outputOption(reportFormatNames),
      include: includeOption,
      open: openOption,
    }),
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptionsAndWords(Review);
    const { runReview } = await import('../src/cli/commands/review/review.js');
    return runReview(
      { ...options, words: this.wordsBehindDashes, toolVersion: () => this.toolVersion },
      this.givenOptions,
      this.surroundings,
    );
  }
}
