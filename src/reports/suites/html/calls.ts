import type { CaseCall } from '../../../suites/results.js';
import { callSection } from './call.js';
import { element } from './elements.js';
import { page } from './page.js';
import { indentation } from './script.js';

/** Calls that belong to no suite, and the program that made them. */
export interface ReviewedCalls {
  readonly calls: readonly CaseCall[];
  readonly toolVersion: string;
}

/** Returns the page of `review`: each call with its webhooks, diffs, requests and answers. */
export function callsPage({ calls, toolVersion }: ReviewedCalls): string {
  const refused = calls.filter(({ report }) => !report.decision.allowed).length;
  const counts = `${calls.length - refused} allowed, ${refused} refused`;
  const header = element(
    'header',
    {},
    element('h1', {}, 'webhook-cli review'),
    element('p', { class: 'quiet' }, `${counts}, webhook-cli ${toolVersion}`),
  );
  return page({
    title: `webhook-cli: ${counts}`,
    toolVersion,
    script: indentation,
    content: [
      header,
      element(
        'main',
        {},
        calls.map(call => callSection(call, [])),
      ),
    ],
  });
}
