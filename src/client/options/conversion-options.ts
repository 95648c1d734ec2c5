import { callOptions, inputOptions, serverOptions } from './call-options.js';
import type { OptionTable } from './option.js';

const conversion = { group: 'CONVERSION' } as const;

/** What to convert, and the state to convert it in. */
export const conversionOptions = {
  filename: inputOptions.filename,
  recursive: inputOptions.recursive,
  namespace: callOptions.namespace,
  to: {
    takes: 'texts',
    ...conversion,
    placeholder: 'VERSION|all',
    description: 'the target version; all: every other version of the definition; repeatable',
  },
  'round-trip': {
    takes: 'switch',
    ...conversion,
    description: 'convert between every pair of versions and back, and report lost fields',
  },
  'ignore-field': {
    takes: 'texts',
    ...conversion,
    placeholder: 'PATH',
    description:
      'a field that may differ after --round-trip, with all below it, such as status.phase or metadata.annotations["a/b"]; repeatable',
  },
  state: inputOptions.state,
  context: inputOptions.context,
  kubeconfig: inputOptions.kubeconfig,
  'cluster-timeout': inputOptions['cluster-timeout'],
  'kubernetes-version': serverOptions['kubernetes-version'],
  seed: callOptions.seed,
  now: callOptions.now,
} as const satisfies OptionTable;
