import { BaseCommand } from '../src/cli/base-command.js';
import type { ExitCode } from '../src/cli/exit-codes.js';
import { callFlags, createdPodsFlag } from '../src/cli/flags/call-flags.js';
import { outputFlag } from '../src/cli/flags/output-flags.js';
import { webhookFlags } from '../src/cli/flags/webhook-flags.js';

export default class Request extends BaseCommand {
  static override summary = 'Print the AdmissionReviews that the API server would send for a call, and send nothing.';

  static override description =
    'One body a line, in the order they would be sent, as if every webhook allowed. Without --url and without configurations in the state ' +
    'it is the body for one mutating webhook that matches everything; --phase chooses.';

  static override usage = 'request -f PATH [--url URL | --state PATH] [FLAGS]';

  static override examples = [
    { description: 'What a mutating webhook gets for a pod', command: '<%= config.bin %> request -f fixtures/manifests/pod-sidecar.yaml' },
    {
      description: 'What a validating webhook gets when a user deletes it',
      command:
        '<%= config.bin %> request --url https://example.com/ --phase validating --operation delete --old fixtures/manifests/pod-sidecar.yaml -f fixtures/manifests/pod-sidecar.yaml --as jane',
    },
    { description: 'Try the body with curl', command: '<%= config.bin %> request -f fixtures/manifests/pod-sidecar.yaml -o curl' },
  ];

  static override flags = {
    ...callFlags,
    'created-pods': createdPodsFlag,
    ...webhookFlags,
    output: outputFlag(['request', 'json', 'curl']),
  };

  async run(): Promise<ExitCode> {
    const { flags } = await this.parseWithWords(Request);
    const { runRequest } = await import('../src/cli/request.js');
    return runRequest({ ...flags, words: this.wordsBehindDashes }, this.givenFlags, this.surroundings);
  }
}
