/** Reporters of runs of tests, by the value of `--reporter`, the default first. Their functions are in `suiteReporters`, which is slower to load. */
export const suiteReporterNames = ['default', 'junit', 'tap', 'sarif', 'github', 'json', 'markdown', 'html'] as const;

export type SuiteReporterName = (typeof suiteReporterNames)[number];
