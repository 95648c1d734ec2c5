/** What a format of reports needs of those who print it. */
interface FormatNeeds {
  /** What it shows, for the documents. */
  readonly shows: string;
  /** Printed as one document of all reports, and not one report after the other. */
  readonly document?: 'json' | 'yaml';
  /** Printed between reports. */
  readonly separator?: string;
  /** Each part is a body that somebody sends on: secrets in it are not hidden. */
  readonly showsBodies?: true;
  /** The page of all calls, with the times of their steps. */
  readonly isPage?: true;
}

/** Formats of reports by the value of `-o`, the default first. Their renderers are in `formats`, which is slower to load; those of one part of a report in `singleParts`. */
export const reportFormats = {
  text: { shows: "kubectl's lines, the webhooks, their changes and messages", separator: '\n' },
  json: { shows: 'a Report, or a ReportList of several; `--include` adds to it', document: 'json' },
  yaml: { shows: 'the same as YAML', document: 'yaml' },
  diff: { shows: 'the changes of each mutating webhook' },
  object: { shows: 'the objects that the client gets, as YAML documents', separator: '---\n', showsBodies: true },
  patch: { shows: 'the patches of the webhooks, one a line', showsBodies: true },
  response: { shows: 'the bodies of their answers, one a line', showsBodies: true },
  request: { shows: 'the bodies that they got, one a line', showsBodies: true },
  curl: { shows: 'commands that send the same bodies', showsBodies: true },
  name: { shows: 'a line a call: `pod/a allowed`' },
  github: { shows: 'annotations of the manifests in pull requests: refused calls, warnings and findings' },
  html: { shows: 'a page with a time line of each call', isPage: true },
} as const satisfies Record<string, FormatNeeds>;

export type ReportFormat = keyof typeof reportFormats;

/** Formats that are made of reports alone: the page needs the calls. */
export type StreamFormat = {
  [F in ReportFormat]: (typeof reportFormats)[F] extends { readonly isPage: true } ? never : F;
}[ReportFormat];

/** All formats, in the order of the help. */
export const reportFormatNames = Object.keys(reportFormats) as [ReportFormat, ...ReportFormat[]];

/** Reports whether calls are shown on a page, printed or opened, for which their steps are recorded. */
export function showsPage({ open, output }: { readonly open?: boolean | undefined; readonly output?: ReportFormat | undefined }): boolean {
  return open === true || isPage(output);
}

/** Returns the format of what is printed while calls are made: the page, if it is printed, follows at the end. */
export function streamFormat(output: ReportFormat = 'text'): StreamFormat {
  return isPage(output) ? 'text' : output;
}

/** Reports whether a format is the page. */
export function isPage(output: ReportFormat = 'text'): output is Exclude<ReportFormat, StreamFormat> {
  return needsOf(output).isPage === true;
}

/** Returns what a format needs. */
export function needsOf(format: ReportFormat): FormatNeeds {
  return reportFormats[format];
}
