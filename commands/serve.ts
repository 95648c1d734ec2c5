import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { withMember } from '../src/cli/options/option-flags.js';
import { outputFlag } from '../src/cli/options/output-flags.js';
import { durationFlag, numberFlag, wordFlag } from '../src/cli/options/values.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

const handlerWords = ['allow', 'deny', 'demo', 'injector'];

export default class Serve extends BaseCommand {
  static override summary = 'Run the reference webhook server, or a scripted endpoint.';

  static override description =
    'Reviews go to /mutate and /validate. Without --cert-dir, certificates are created in memory and the CA is printed for clients. ' +
    '--script simulates failures: one endpoint, {kind: http, status, headers, body, delayMs, then ...}, {kind: raw, bytes, then}, {kind: sequence, answers}, ' +
    '{kind: connection, read, bytesBase64, then} or {kind: refuse}, or {endpoint, path, routes, certificate}; `then` is close, abort, reset, hang, half-close or keep. ' +
    'Press Ctrl-C to stop.';

  static override examples = [
    { description: 'The demo webhook on a free port', command: '<%= config.bin %> serve' },
    {
      description: 'Deny everything, with your own certificates',
      command: '<%= config.bin %> serve --handler deny --port 8443 --cert-dir certs',
    },
    {
      description: 'Serve your own handlers, and reload them when they change',
      command: '<%= config.bin %> serve --handlers handlers.ts --port 9443 --cert-dir certs --watch',
    },
    {
      description: 'Inject sidecars with the configuration of your mesh',
      command: '<%= config.bin %> serve --handler injector --config istio-sidecar-injector.yaml --port 8443',
    },
    {
      description: 'Simulate a failure: a truncated answer',
      command: '<%= config.bin %> serve --script endpoint.yaml',
    },
  ];

  static override flags = {
    handler: wordFlag({ choices: handlerWords, helpValue: handlerWords.join('|'), description: 'the handler; demo by default' }),
    script: Flags.string({
      helpValue: 'FILE',
      description: 'an endpoint described in JSON or YAML instead: answers, raw bytes, delays, closed connections',
    }),
    host: Flags.string({ helpValue: 'ADDRESS', description: 'the address to listen on; 127.0.0.1 by default' }),
    port: numberFlag({ min: 0, max: 65_535, helpValue: 'PORT', description: 'the port; 0, the default: any free port' }),
    'cert-dir': Flags.string({ helpValue: 'PATH', description: 'a folder with tls.crt and tls.key' }),
    handlers: Flags.string({
      helpValue: 'FILE',
      description: 'serve your own handlers: a TypeScript or JavaScript module whose default export registers them',
    }),
    config: Flags.string({
      helpValue: 'FILE',
      description: 'with --handler injector: its configuration, or the ConfigMap istio-sidecar-injector, which has both',
    }),
    values: Flags.string({ helpValue: 'FILE', description: 'with --handler injector: the values for its templates' }),
    revision: Flags.string({ helpValue: 'NAME', description: 'with --handler injector: its revision; default by default' }),
    'cert-name': Flags.string({ helpValue: 'NAME', description: 'with --handlers: the certificate in --cert-dir; tls.crt by default' }),
    'key-name': Flags.string({ helpValue: 'NAME', description: 'with --handlers: the key in --cert-dir; tls.key by default' }),
    'client-ca-name': Flags.string({
      helpValue: 'NAME',
      description: 'with --handlers: a file in --cert-dir with CAs; client certificates must be signed by one of them',
    }),
    'cert-poll-interval': withMember(
      'certPollIntervalMs',
      durationFlag({
        unit: 'Ms',
        minMs: 10,
        maxMs: 24 * 3_600_000,
        helpValue: 'DURATION',
        description: 'with --handlers: how often certificate and key are reloaded, in addition to watching them; 10s by default',
      }),
    ),
    'metrics-port': numberFlag({
      min: 0,
      max: 65_535,
      helpValue: 'PORT',
      description: 'with --handlers: serve /metrics here, over plain HTTP',
    }),
    'health-port': numberFlag({
      min: 0,
      max: 65_535,
      helpValue: 'PORT',
      description: 'with --handlers: serve /healthz and /readyz here, over plain HTTP',
    }),
    watch: Flags.boolean({ description: 'with --handlers: reload the module when it changes' }),
    output: outputFlag(['text', 'json']),
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Serve);
    const { runServe } = await import('../src/cli/commands/serve/run-serve.js');
    return runServe(options, this.surroundings);
  }
}
