import { until } from '../../../kubernetes/kubernetes-version.js';

/**
 * Returns a warning about a new object with a name reserved for objects from manifest files of the API server. Source:
 * admissionregistration/validation WarningsForStaticSuffix.
 */
export function staticNameWarnings(name: string): string[] {
  if (until('v1.35') || !name.endsWith(suffix)) return [];
  const words = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with "${suffix}" ${words}`];
}

const suffix = '.static.k8s.io';
