import {
  durationOption,
  free,
  type OptionTable,
  type OptionValues,
  onOff,
  path,
  textOption,
  word,
} from '../../../client/options/option.js';
import { certDirOption, host, portOption } from '../../options/listening-options.js';
import { outputOption } from '../../options/output-options.js';

/** Options of `serve`. */
export const serveOptions = {
  handler: { ...word('allow', 'deny', 'demo', 'injector'), ...free, description: 'the handler; demo by default' },
  script: {
    ...path,
    ...free,
    placeholder: 'FILE',
    description: 'an endpoint described in JSON or YAML instead: answers, raw bytes, delays, closed connections',
  },
  host,
  port: portOption('the port; 0, the default: any free port'),
  certDir: certDirOption('a folder with tls.crt and tls.key'),
  handlers: {
    ...path,
    placeholder: 'FILE',
    description: 'serve your own handlers: a TypeScript or JavaScript module whose default export registers them',
  },
  config: {
    ...path,
    ...free,
    placeholder: 'FILE',
    description: 'with --handler injector: its configuration, or the ConfigMap istio-sidecar-injector, which has both',
  },
  values: { ...path, ...free, placeholder: 'FILE', description: 'with --handler injector: the values for its templates' },
  revision: { ...textOption, placeholder: 'NAME', description: 'with --handler injector: its revision; default by default' },
  certName: { ...textOption, placeholder: 'NAME', description: 'with --handlers: the certificate in --cert-dir; tls.crt by default' },
  keyName: { ...textOption, placeholder: 'NAME', description: 'with --handlers: the key in --cert-dir; tls.key by default' },
  clientCaName: {
    ...textOption,
    placeholder: 'NAME',
    description: 'with --handlers: a file in --cert-dir with CAs; client certificates must be signed by one of them',
  },
  certPollInterval: {
    ...durationOption({ unit: 'Ms', minMs: 10, maxMs: 24 * 3_600_000 }),
    placeholder: 'DURATION',
    description: 'with --handlers: how often certificate and key are reloaded, in addition to watching them; 10s by default',
  },
  metricsPort: portOption('with --handlers: serve /metrics here, over plain HTTP'),
  healthPort: portOption('with --handlers: serve /healthz and /readyz here, over plain HTTP'),
  watch: { ...onOff, ...free, description: 'with --handlers: reload the module when it changes' },
  output: outputOption(['text', 'json']),
} as const satisfies OptionTable;

export type ServeFlags = OptionValues<typeof serveOptions>;
