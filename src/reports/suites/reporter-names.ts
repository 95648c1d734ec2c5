/** What a reporter needs of those who run the tests. */
interface ReporterNeeds {
  /** Requests and answers, which are kept only for it. */
  readonly showsCalls?: true;
  /** The steps of calls. */
  readonly showsSteps?: true;
}

/** Reporters of runs of tests by the value of `--reporter`, the default first. Their functions are in `suiteReporters`, which is slower to load. */
const reporterNeeds = {
  default: {},
  junit: {},
  tap: {},
  sarif: {},
  github: {},
  json: { showsCalls: true },
  markdown: {},
  html: { showsCalls: true, showsSteps: true },
} as const satisfies Record<string, ReporterNeeds>;

export type SuiteReporterName = keyof typeof reporterNeeds;

/** All reporters, in the order of the help. */
export const suiteReporterNames = Object.keys(reporterNeeds) as [SuiteReporterName, ...SuiteReporterName[]];

/** Returns what a reporter needs. */
export function needsOfReporter(name: SuiteReporterName): ReporterNeeds {
  return reporterNeeds[name];
}
