import { defaultReport } from './default.js';
import { githubReport } from './github.js';
import { htmlReport } from './html.js';
import { jsonReport } from './json.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { ownPart } from './own-part.js';
import type { SuiteReporterName } from './reporter-names.js';
import { sarifReport } from './sarif.js';
import type { SuiteReporter } from './suite-reporter.js';
import { tapReport } from './tap.js';

/** Reporters by the value of `--reporter`. Only `json`, the input of `report merge`, includes the cases of other shards. */
export const suiteReporters: Readonly<Record<SuiteReporterName, SuiteReporter>> = {
  default: forOwnPart(defaultReport),
  junit: forOwnPart(junitReport),
  tap: forOwnPart(tapReport),
  sarif: forOwnPart(sarifReport),
  github: forOwnPart(githubReport),
  json: jsonReport,
  markdown: forOwnPart(run => markdownReport(run)),
  html: forOwnPart(htmlReport),
};

function forOwnPart(reporter: SuiteReporter): SuiteReporter {
  return (run, options) => reporter(ownPart(run), options);
}
