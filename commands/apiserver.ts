import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags } from '../src/cli/options/call-flags.js';
import { openLiveFlag, outputFlag } from '../src/cli/options/output-flags.js';
import { numberFlag } from '../src/cli/options/values.js';
import { webhookFlags } from '../src/cli/options/webhook-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

const many = { multiple: true, multipleNonGreedy: true } as const;

export default class Apiserver extends BaseCommand {
  static override summary = 'Run an in-memory API server for kubectl, client-go and webhooks under test.';

  static override description =
    'Responds as kube-apiserver does, with the same admission. Objects are kept in memory only. As in envtest, no controllers run. ' +
    'Prints its URL when it is ready, and writes a kubeconfig. With a command after --, runs it with KUBECONFIG set and exits with its exit code.';

  static override examples = [
    { description: 'For kubectl in another terminal', command: '<%= config.bin %> apiserver --kubeconfig kubeconfig' },
    { description: 'For tests of a controller', command: '<%= config.bin %> apiserver --state cluster/ -- go test ./...' },
    {
      description: 'With webhook configurations whose service is listening here',
      command: '<%= config.bin %> apiserver --state webhooks.yaml --service shop/webhook=https://127.0.0.1:8443',
    },
  ];

  static override flags = {
    state: callFlags.state,
    recursive: callFlags.recursive,
    host: Flags.string({ helpValue: 'ADDRESS', description: 'the address to listen on; 127.0.0.1 by default' }),
    port: numberFlag({ min: 0, max: 65_535, helpValue: 'PORT', description: 'the port; 0, the default, is any free one' }),
    'cert-dir': Flags.string({ helpValue: 'PATH', description: 'a folder with tls.crt and tls.key, and ca.crt for clients' }),
    kubeconfig: Flags.string({ helpValue: 'FILE', description: 'where to write the kubeconfig; a temporary file by default' }),
    token: Flags.string({
      ...many,
      helpValue: 'NAME=TOKEN',
      description: 'an additional user with this token; NAME=@FILE reads it from a file',
    }),
    as: Flags.string({ ...many, helpValue: 'NAME', description: 'an additional user, with a context of that name in the kubeconfig' }),
    service: webhookFlags.service,
    forward: Flags.string({
      ...many,
      helpValue: 'NS/POD:PORT=ADDRESS',
      description: 'where a port of a pod leads to that clients forward, such as shop/web-0:8443=127.0.0.1:9443; repeatable',
    }),
    resolve: webhookFlags.resolve,
    'ca-file': webhookFlags['ca-file'],
    'allow-remote': webhookFlags['allow-remote'],
    'enable-admission-plugins': callFlags['enable-admission-plugins'],
    'disable-admission-plugins': callFlags['disable-admission-plugins'],
    'kubernetes-version': callFlags['kubernetes-version'],
    output: outputFlag(['text', 'json']),
    open: openLiveFlag,
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptionsAndWords(Apiserver);
    const { runApiserver } = await import('../src/cli/commands/apiserver/run-apiserver.js');
    return runApiserver({ ...options, toolVersion: () => this.toolVersion }, this.wordsBehindDashes, this.surroundings);
  }
}
