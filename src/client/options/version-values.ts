import { defaultMinor, type KubernetesMinor, kubernetesMinors, minorOf, previewNote } from '../../kubernetes/kubernetes-version.js';
import type { ValueType } from './value-type.js';

const knownMinors = orOf(kubernetesMinors);

/** For the help: `v1.36, v1.37 (the default) or v1.38 (a preview)`. */
export const describedMinors = orOf(
  kubernetesMinors.map(minor => {
    if (minor === defaultMinor) return `${minor} (the default)`;
    return previewNote(minor) === undefined ? minor : `${minor} (a preview)`;
  }),
);

/** `--kubernetes-version` of `test`: several, separated by commas. */
export const minorsValue: ValueType<readonly KubernetesMinor[]> = {
  parse: text => {
    const minors = text.split(',').map(minorOf);
    return minors.includes(undefined) ? undefined : [...new Set(minors.filter(minor => minor !== undefined))];
  },
  expected: `${knownMinors}, or several of them separated by commas`,
  schema: { type: 'string' },
};

/** `--upgrade FROM:TO` */
export const upgradeValue: ValueType<readonly [from: KubernetesMinor, to: KubernetesMinor]> = {
  parse: text => {
    const [from, to, ...rest] = text.split(':').map(minorOf);
    return from === undefined || to === undefined || from === to || rest.length > 0 ? undefined : [from, to];
  },
  expected: `FROM:TO with two different versions of ${kubernetesMinors.join(', ')}`,
  schema: { type: 'string' },
};

/** `--kubernetes-version`: `v1.35`, `1.35` or `v1.35.4`. */
export const minorValue: ValueType<KubernetesMinor> = {
  parse: minorOf,
  expected: knownMinors,
  schema: { type: 'string' },
};

function orOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
