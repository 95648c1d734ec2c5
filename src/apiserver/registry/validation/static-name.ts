/**
 * Returns a warning about a new object whose name is reserved for static manifests. Source: admissionregistration/validation
 * WarningsForStaticSuffix.
 */
export function staticNameWarnings(name: string): string[] {
  if (!name.endsWith(suffix)) return [];
  const words = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with "${suffix}" ${words}`];
}

const suffix = '.static.k8s.io';
