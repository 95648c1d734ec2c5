import { inputOptions, serverFlagOptions } from '../../../client/options/call-options.js';
import { free, many, type OptionTable, type OptionValues, path, textsOption } from '../../../client/options/option.js';
import { webhookOptions } from '../../../client/options/webhook-options.js';
import { certDirOption, host, portOption } from '../../options/listening-options.js';
import { openLiveOption, outputOption } from '../../options/output-options.js';
import { forwardValue } from '../../work/apiserver/forwards.js';
import { tokenValue, userFileValue } from '../../work/apiserver/user-values.js';

const { kubernetesVersion, ...plugins } = serverFlagOptions;

/** Options of `apiserver`. */
export const apiserverOptions = {
  state: inputOptions.state,
  recursive: inputOptions.recursive,
  host,
  port: portOption('the port; 0, the default, is any free one'),
  certDir: certDirOption('a folder with tls.crt and tls.key, and ca.crt for clients'),
  kubeconfig: { ...path, placeholder: 'FILE', description: 'where to write the kubeconfig; a temporary file by default' },
  token: {
    ...many(tokenValue),
    placeholder: 'NAME=TOKEN',
    description: 'an additional user with this token; NAME=@FILE reads it from a file',
  },
  as: {
    ...textsOption,
    ...free,
    placeholder: 'NAME',
    description: 'an additional user, with a context of that name in the kubeconfig',
  },
  kubeconfigFor: {
    ...many(userFileValue),
    placeholder: 'USER=FILE',
    description: 'an additional user, such as system:kube-controller-manager, with a kubeconfig of its own in this file; repeatable',
  },
  service: webhookOptions.service,
  forward: {
    ...many(forwardValue),
    placeholder: 'NS/POD:PORT=ADDRESS',
    description: 'where a port of a pod leads to, forwarded or proxied, such as shop/web-0:8443=127.0.0.1:9443; repeatable',
  },
  resolve: webhookOptions.resolve,
  caFile: webhookOptions.caFile,
  allowRemote: webhookOptions.allowRemote,
  ...plugins,
  auditPolicyFile: { ...path, placeholder: 'FILE', description: 'the audit policy: which requests are logged, and how much of them' },
  auditLogPath: {
    ...path,
    placeholder: 'FILE',
    description: 'where to append the audit events of the policy, - for stdout, as kube-apiserver writes them',
  },
  kubernetesVersion,
  output: outputOption(['text', 'json']),
  open: openLiveOption,
} as const satisfies OptionTable;

/** Options of `apiserver`, and of the kube-apiserver of `envtest`. */
export type ApiserverFlags = OptionValues<typeof apiserverOptions> & {
  /** Returns the version of this program. */
  readonly toolVersion: () => string;
};
