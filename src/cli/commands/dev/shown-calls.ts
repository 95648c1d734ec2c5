import type { ObjectChange } from '../../../apiserver/admission/webhook-report.js';
import { writeValue } from '../../../go/json/write.js';
import { isMap, type ValueMap } from '../../../go/value.js';
import { subjectOfReport } from '../../../reports/text.js';
import type { CaseCall, CaseOutput, TestFailure } from '../../../suites/results.js';
import { cleanObject } from '../../../suites/snapshots/cleaning.js';
import { maskOf, type Period } from '../../../suites/snapshots/volatile.js';
import type { Suite, SuiteCase } from '../../../suites/suite.js';

/** A call or a case as `dev` shows and compares it, without values that differ in every round. */
export interface ShownCall {
  /** Identifies the call in all rounds. */
  readonly key: string;
  readonly title: string;
  /** A case that fails, or a refused call that no case expects. */
  readonly isFailure: boolean;
  /** `allowed (201)`, `refused (403)`; for a case, also its result. */
  readonly decision: string;
  /** Messages to the client, failures of the case. */
  readonly lines: readonly string[];
  /** The object that the client receives, as JSON; empty without one. */
  readonly object: string;
  /** What the webhooks change in it. */
  readonly changes: readonly (ObjectChange & { readonly webhook: string })[];
  /** Shown in place of the calls of a suite whose process did not start. */
  readonly isStart?: true;
}

/** Result of a case. */
export interface MadeCase {
  readonly suite: Suite;
  readonly suiteCase: SuiteCase;
  readonly output: CaseOutput;
  readonly failures: readonly TestFailure[];
  /** Whether its failures count: a case without expectations only shows its calls. */
  readonly isJudged: boolean;
  readonly period: Period;
}

/** Returns what is shown of a case: its calls, or its failures if it has none. */
export function shownCalls({ suite, suiteCase, output, failures, isJudged, period }: MadeCase): ShownCall[] {
  const mask = maskOf(output, period);
  const cleaned = (object: ValueMap): string => writeValue(cleanObject(object, { redactions: suiteCase.redactions, mask }), 'sorted');
  const failed = failures.flatMap(({ message }) => message.split('\n'));
  const key = `${suite.file} > ${suiteCase.name}`;
  const hasTitle = isJudged || output.calls.length === 0;
  const outcome = failures.length > 0 ? 'failed' : isJudged ? 'passed' : '';
  if (output.calls.length === 0) {
    const decision = outcome === '' ? 'no call' : outcome;
    return [{ key, title: suiteCase.name, isFailure: failures.length > 0, decision, lines: failed, object: '', changes: [] }];
  }
  // A call that comes or goes must not make others appear as new ones.
  const seen = new Map<string, number>();
  return output.calls.map((call, i) => {
    const { report, kubectl } = call;
    const { allowed, code, object } = report.decision;
    const subject = subjectOfReport(report.webhooks[0], report.call, undefined);
    const count = seen.get(subject) ?? 0;
    seen.set(subject, count + 1);
    const said = kubectl.filter(line => !allowed || line.startsWith('Warning: ')).map(mask);
    return {
      key: `${key} ${subject} ${count}`,
      title: hasTitle ? `${suiteCase.name}: ${subject}` : subject,
      isFailure: isJudged ? failures.length > 0 : !allowed || failures.length > 0,
      decision: [outcome, `${allowed ? 'allowed' : 'refused'} (${code})`, isAsked(call) ? '' : 'no webhook was called']
        .filter(text => text !== '')
        .join(', '),
      lines: [...said, ...(i === 0 ? failed : [])],
      object: object === undefined ? '' : cleaned(withoutOwnMetadata(object)),
      changes: changesOf(call),
    };
  });
}

function isAsked({ report: { webhooks, policies = [] } }: CaseCall): boolean {
  return webhooks.some(({ requestBody }) => requestBody !== undefined) || policies.some(({ outcome }) => outcome !== 'skipped');
}

/** Metadata set by the API server that differs every time, or lists every changed field. */
const ownMetadata: ReadonlySet<string> = new Set(['uid', 'creationTimestamp', 'resourceVersion', 'managedFields']);

function withoutOwnMetadata(object: ValueMap): ValueMap {
  const metadata = object.get('metadata');
  if (!isMap(metadata)) return object;
  return new Map([...object, ['metadata', new Map([...metadata].filter(([name]) => !ownMetadata.has(name)))]]);
}

function changesOf({ report }: CaseCall): ShownCall['changes'] {
  return report.webhooks.flatMap(({ webhook, change }) => (change === undefined ? [] : [{ webhook, ...change }]));
}

/** Reports whether a call is shown identically in two rounds. */
export function isSameCall(before: ShownCall, after: ShownCall): boolean {
  return before.decision === after.decision && before.object === after.object && before.lines.join('\n') === after.lines.join('\n');
}
