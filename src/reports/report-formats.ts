/** What a format of reports needs of those who print it. */
interface FormatNeeds {
  /** Printed as one document of all reports, and not one report after the other. */
  readonly document?: 'json' | 'yaml';
  /** Printed between reports. */
  readonly separator?: string;
  /** Each part is a body that somebody sends on: secrets in it are not hidden. */
  readonly showsBodies?: true;
  /** The page of all calls, with the times of their steps. */
  readonly isPage?: true;
}

/** Formats of reports by the value of `-o`, the default first. Their renderers are in `formats`, which is slower to load. */
export const reportFormats = {
  text: { separator: '\n' },
  json: { document: 'json' },
  yaml: { document: 'yaml' },
  diff: {},
  object: { separator: '---\n', showsBodies: true },
  patch: { showsBodies: true },
  response: { showsBodies: true },
  request: { showsBodies: true },
  curl: { showsBodies: true },
  name: {},
  html: { isPage: true },
} as const satisfies Record<string, FormatNeeds>;

export type ReportFormat = keyof typeof reportFormats;

/** All formats, in the order of the help. */
export const reportFormatNames = Object.keys(reportFormats) as [ReportFormat, ...ReportFormat[]];

/** Returns what a format needs. */
export function needsOf(format: ReportFormat): FormatNeeds {
  return reportFormats[format];
}
