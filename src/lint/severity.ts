/** Severities of findings, the mildest first. */
export const severities = ['info', 'warning', 'error'] as const;

export type Severity = (typeof severities)[number];

/** Sorts errors first. */
export function compareSeverities(a: { readonly severity: Severity }, b: { readonly severity: Severity }): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}
