import { callOptions, inputOptions, serverFlagOptions } from './call-options.js';
import { fieldPathValue } from './field-path-value.js';
import { free, many, type OptionTable, type OptionValues, onOff, textsOption } from './option.js';
import { clusterStateOptions } from './state-options.js';

const conversion = { group: 'CONVERSION' } as const;

/** What to convert, and the state to convert it in. */
export const conversionOptions = {
  filename: inputOptions.filename,
  recursive: inputOptions.recursive,
  namespace: callOptions.namespace,
  to: {
    ...textsOption,
    ...conversion,
    ...free,
    placeholder: 'VERSION|all',
    description: 'the target version; all: every other version of the definition; repeatable',
  },
  roundTrip: { ...onOff, ...conversion, ...free, description: 'convert between every pair of versions and back, and report lost fields' },
  ignoreField: {
    ...many(fieldPathValue),
    ...conversion,
    ...free,
    placeholder: 'PATH',
    description:
      'a field that may differ after --round-trip, with all below it, such as status.phase or metadata.annotations["a/b"]; repeatable',
  },
  ...clusterStateOptions,
  kubernetesVersion: serverFlagOptions.kubernetesVersion,
  seed: callOptions.seed,
  now: callOptions.now,
} as const satisfies OptionTable;

/** What to convert, and the cluster to convert it in. */
export type ConversionOptions = OptionValues<typeof conversionOptions>;
