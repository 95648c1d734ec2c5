import type { CallReport } from '../client/call-report.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import type { Value, ValueMap } from '../go/value.js';
import { type Format, formats, type RenderOptions } from './formats.js';
import { writeIndented } from './json.js';
import { apiVersion, reportDocument } from './report-document.js';

/** Prints the results of a run one after another: the same text as for all of them at once. */
export interface ReportStream<Report = CallReport> {
  /** Returns the text of the next report, without what depends on later ones. */
  readonly next: (report: Report) => string;
  /** Returns the rest. `errors` are Error documents for input that could not be used. */
  readonly end: (errors: readonly ValueMap[]) => string;
}

/** Returns the stream of an output format. */
export function reportStream(format: Format, options: RenderOptions): ReportStream {
  if (format === 'json' || format === 'yaml') return documentStream(format, report => reportDocument(report, options));
  return textStream(report => formats[format]([report], options), separators[format] ?? '');
}

const separators: Partial<Record<Format, string>> = { text: '\n', object: '---\n' };

/** Returns a stream of texts with a separator between those that are not empty. */
export function textStream<Report>(print: (report: Report) => string, separator: string): ReportStream<Report> {
  let isFirst = true;
  return {
    next: report => {
      const text = print(report);
      if (text === '') return '';
      const before = isFirst ? '' : separator;
      isFirst = false;
      return before + text;
    },
    end: () => '',
  };
}

/** Returns a stream of documents: a single Report, or a ReportList as soon as there are two of them. */
export function documentStream<Report>(format: 'json' | 'yaml', documentOf: (report: Report) => Value): ReportStream<Report> {
  const list = format === 'json' ? jsonList : yamlList;
  let first: Value | undefined;
  let count = 0;
  return {
    next: report => {
      const document = documentOf(report);
      count += 1;
      if (count > 1) return (count === 2 && first !== undefined ? list.start(first) : '') + list.item(document);
      first = document;
      return '';
    },
    end: errors => {
      if (count > 1) return list.end(errors);
      if (first !== undefined && errors.length === 0) return format === 'json' ? `${writeIndented(first)}\n` : writeYaml(first);
      return list.start(first) + list.end(errors);
    },
  };
}

/** Text around the items of a ReportList. */
interface ListText {
  readonly start: (first: Value | undefined) => string;
  readonly item: (document: Value) => string;
  readonly end: (errors: readonly ValueMap[]) => string;
}

const kind = 'ReportList';

const jsonList: ListText = {
  start: first =>
    `{\n  "apiVersion": "${apiVersion}",\n  "kind": "${kind}",\n  "items": [${first === undefined ? '' : `\n    ${writeIndented(first, '    ')}`}`,
  item: document => `,\n    ${writeIndented(document, '    ')}`,
  end: errors => `\n  ]${errors.length === 0 ? '' : `,\n  "errors": ${writeIndented([...errors], '  ')}`}\n}\n`,
};

const yamlList: ListText = {
  start: first => `apiVersion: ${apiVersion}\nkind: ${kind}\nitems:${first === undefined ? ' []\n' : `\n${writeYaml([first])}`}`,
  item: document => writeYaml([document]),
  end: errors => (errors.length === 0 ? '' : `errors:\n${writeYaml([...errors])}`),
};
