import type { CallReport } from '../client/run/call-report.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import type { Value, ValueMap } from '../go/value.js';
import { lazy } from '../kubernetes/memoize.js';
import { contentTypeRemarks } from './content-type.js';
import { formats, type RenderOptions } from './formats.js';
import { writeIndented } from './json.js';
import { apiVersion, reportDocument } from './report-document.js';
import { needsOf, type StreamFormat } from './report-formats.js';

/** Text of one report, which can be rendered in another thread than it is printed in. */
export interface RenderedReport {
  readonly text: string;
  /** Returns the text if this is the only report, where that differs; only for the first report that a stream renders. */
  readonly single?: (() => string) | undefined;
  /** About the webhooks and not the call: printed once a run. */
  readonly remarks?: readonly string[] | undefined;
}

/** Prints the results of a run one after another: the same text as for all of them at once. */
export interface ReportStream<Report = CallReport> {
  readonly render: (report: Report) => RenderedReport;
  /** Returns the text of the next report, without what depends on later ones. */
  readonly next: (rendered: RenderedReport) => string;
  /** Returns the rest. `errors` are Error documents for input that could not be used. */
  readonly end: (errors: readonly ValueMap[]) => string;
}

/** Returns the stream of an output format. */
export function reportStream(format: StreamFormat, options: RenderOptions): ReportStream {
  const { document, separator = '' } = needsOf(format);
  if (document !== undefined) return documentStream(document, report => reportDocument(report, options));
  const stream = textStream((report: CallReport) => formats[format]([report], options), separator);
  if (format !== 'text') return stream;
  return { ...stream, render: report => ({ ...stream.render(report), remarks: contentTypeRemarks(report.exchanges) }) };
}

/** Returns a stream of texts with a separator between those that are not empty. */
export function textStream<Report>(print: (report: Report) => string, separator: string): ReportStream<Report> {
  let isFirst = true;
  return {
    render: report => ({ text: print(report) }),
    next: ({ text }) => {
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
  let isRendered = false;
  let first: RenderedReport | undefined;
  let count = 0;
  return {
    render: report => {
      const document = documentOf(report);
      if (isRendered) return { text: list.item(document) };
      isRendered = true;
      const item = lazy(() => list.item(document));
      return {
        get text() {
          return item();
        },
        single: () => (format === 'json' ? `${writeIndented(document)}\n` : writeYaml(document)),
      };
    },
    next: rendered => {
      count += 1;
      if (count > 1) return (count === 2 && first !== undefined ? list.start(first.text) : '') + list.separator + rendered.text;
      first = rendered;
      return '';
    },
    end: errors => {
      if (count > 1) return list.end(errors);
      if (first?.single !== undefined && errors.length === 0) return first.single();
      return list.start(first?.text) + list.end(errors);
    },
  };
}

/** Text around the items of a ReportList. */
interface ListText {
  readonly start: (first: string | undefined) => string;
  readonly item: (document: Value) => string;
  readonly separator: string;
  readonly end: (errors: readonly ValueMap[]) => string;
}

const kind = 'ReportList';

const jsonList: ListText = {
  start: first => `{\n  "apiVersion": "${apiVersion}",\n  "kind": "${kind}",\n  "items": [${first === undefined ? '' : `\n    ${first}`}`,
  item: document => writeIndented(document, '    '),
  separator: ',\n    ',
  end: errors => `\n  ]${errors.length === 0 ? '' : `,\n  "errors": ${writeIndented([...errors], '  ')}`}\n}\n`,
};

const yamlList: ListText = {
  start: first => `apiVersion: ${apiVersion}\nkind: ${kind}\nitems:${first === undefined ? ' []\n' : `\n${first}`}`,
  item: document => writeYaml([document]),
  separator: '',
  end: errors => (errors.length === 0 ? '' : `errors:\n${writeYaml([...errors])}`),
};
