/** Severities of findings, the mildest first. */
export const severities = ['info', 'warning', 'error'] as const;

export type Severity = (typeof severities)[number];
