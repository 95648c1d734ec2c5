import type { CallReport } from '../client/run/call-report.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import { writeIndented } from './json.js';
import type { Palette } from './palette.js';
import { reportsDocument } from './report-document.js';
import type { StreamFormat } from './report-formats.js';
import { singleParts } from './single-parts.js';
import { textReport } from './text.js';

export interface RenderOptions {
  readonly palette: Palette;
  /** Documents include the requests and answers. */
  readonly withExchange: boolean;
  /** Documents include the measured steps. */
  readonly withSteps?: boolean;
}

type Renderer = (reports: readonly CallReport[], options: RenderOptions) => string;

/** Renderers by the value of `-o`: the whole output, with a trailing newline unless it is empty. */
export const formats = {
  text: (reports, { palette }) => textReport(reports, palette),
  json: (reports, options) => `${writeIndented(reportsDocument(reports, options))}\n`,
  yaml: (reports, options) => writeYaml(reportsDocument(reports, options)),
  ...singleParts,
} satisfies Record<StreamFormat, Renderer>;
