import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags, podFlags } from '../src/cli/options/call-flags.js';
import { callJobs } from '../src/cli/options/jobs-option.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { openOption, outputOption } from '../src/cli/options/output-options.js';
import { unsentWebhookFlags } from '../src/cli/options/webhook-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { free, path } from '../src/client/options/option.js';

export default class Request extends BaseCommand {
  static override summary = 'Print the AdmissionReviews that the API server would send for a call, without sending them.';

  static override description =
    'Prints one body per line, in order, and assumes that every webhook allows. Without --url and without configurations in the state, ' +
    'prints the body for one mutating webhook that matches everything; --phase selects the phase.';

  static override usage = 'request -f PATH [--url URL | --state PATH] [FLAGS]';

  static override examples = [
    {
      description: 'The review of a mutating webhook for a pod',
      command: '<%= config.bin %> request -f pod.yaml',
    },
    {
      description: 'The review of a validating webhook when a user deletes it',
      command:
        '<%= config.bin %> request --url https://example.com/ --phase validating --operation delete --old pod.yaml -f pod.yaml --as jane',
    },
    {
      description: 'Compare a captured review with what the API server would send today',
      command: '<%= config.bin %> request --from-review review.json',
    },
    { description: 'Send the body with curl', command: '<%= config.bin %> request -f pod.yaml -o curl' },
  ];

  static override flags = {
    ...callFlags,
    ...podFlags,
    ...unsentWebhookFlags,
    ...flagsOfOptions({
      ...callJobs,
      fromReview: {
        ...path,
        ...free,
        group: 'CALL',
        placeholder: 'FILE',
        description:
          'instead of -f: compare a captured AdmissionReview with what the API server would send today; exit code 1 if they differ',
      },
      output: outputOption(['request', 'json', 'curl']),
      open: openOption,
    }),
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptionsAndWords(Request);
    const { runRequest } = await import('../src/cli/commands/request/run-request.js');
    return runRequest(
      { ...options, words: this.wordsBehindDashes, toolVersion: () => this.toolVersion },
      this.givenOptions,
      this.surroundings,
    );
  }
}
