import { ensureMap, mapAt, type ValueMap } from '../../go/value.js';

const annotations = ['metadata', 'annotations'];
const prefix = 'autoscaling.alpha.kubernetes.io/';

/** Members whose conversion skips all of them when one is absent. Source: kubernetes pkg/apis/autoscaling/v1/conversion.go. */
const leftAlone: readonly (readonly (readonly string[])[])[] = [
  [
    ['spec', 'targetCPUUtilizationPercentage'],
    [...annotations, `${prefix}metrics`],
  ],
  [[...annotations, `${prefix}behavior`]],
  [
    ['status', 'currentCPUUtilizationPercentage'],
    [...annotations, `${prefix}current-metrics`],
  ],
  [[...annotations, `${prefix}conditions`]],
];

/**
 * Keeps members unassigned: an object that webhooks mutated is converted onto the API server's object, so members that a v1 autoscaler's
 * conversion assigns only if present keep their value. Changes `value`.
 */
export function keepUnassigned(value: ValueMap, held: ValueMap): void {
  for (const paths of leftAlone)
    if (paths.every(path => memberAt(value, path) === undefined)) for (const path of paths) copyMember(value, held, path);
}

function memberAt(value: ValueMap, path: readonly string[]): ReturnType<ValueMap['get']> {
  return mapAt(value, ...path.slice(0, -1))?.get(path.at(-1) ?? '') ?? undefined;
}

function copyMember(value: ValueMap, held: ValueMap, path: readonly string[]): void {
  const member = memberAt(held, path);
  if (member !== undefined)
    path
      .slice(0, -1)
      .reduce(ensureMap, value)
      .set(path.at(-1) ?? '', member);
}
