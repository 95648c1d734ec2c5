import type { Manifest } from '../../client/manifests/manifests.js';
import { pointerSteps } from '../../encoding/json-pointer.js';
import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import { kindOf } from '../../kubernetes/storage.js';
import { type FoundByRule, type LintSubject, lint } from '../../lint/rule.js';
import { lintRules } from '../../lint/rules/rules.js';
import { entryOf, type MapTextEntry, type TextNode, targetOfAlias } from '../text/text-node.js';
import type { CheckedObject } from './document-objects.js';
import { rangeOfNode } from './place-cause.js';
import type { TextProblem } from './problem.js';

export interface Linting {
  readonly state: ClusterState;
  readonly lintSubject: (server: ApiServer, manifests: readonly Manifest[]) => LintSubject;
  readonly rulePage: (rule: string) => string | undefined;
  /** Lets other work of the process run; true if the result is no longer needed. */
  readonly isCancelled: () => Promise<boolean>;
}

/** Returns the findings of lint for the configurations, policies and definitions of a file; undefined if it was cancelled. */
export async function lintFile(
  objects: readonly CheckedObject[],
  { state, lintSubject, isCancelled }: Linting,
): Promise<readonly FoundByRule[] | undefined> {
  if (!objects.some(({ manifest }) => isLinted(manifest.object))) return [];
  const beside = state.objects.map((object): Manifest => ({ object, source: '', location: { file: '' } }));
  const whole = lintSubject(state.server, [...objects.map(({ manifest }) => manifest), ...beside]);
  const subject: LintSubject = {
    ...whole,
    refusedWhileDown: async (...asked) => ((await isCancelled()) ? [] : whole.refusedWhileDown(...asked)),
    failedTrials: async (...asked) => ((await isCancelled()) ? [] : whole.failedTrials(...asked)),
  };
  const found: FoundByRule[] = [];
  for (const rule of lintRules) {
    if (await isCancelled()) return undefined;
    found.push(...(await lint([rule], subject, new Map())));
  }
  if (await isCancelled()) return undefined;
  return found;
}

/** Returns findings as problems of the file; never errors. */
export function lintProblems(
  found: readonly FoundByRule[],
  objects: readonly CheckedObject[],
  { rulePage }: Pick<Linting, 'rulePage'>,
): TextProblem[] {
  const byObject = new Map(objects.map(one => [one.manifest.object, one]));
  return found.flatMap(one => {
    const checked = byObject.get(one.place.object);
    return checked === undefined ? [] : [problemOf(one, checked, rulePage)];
  });
}

function isLinted(object: ValueMap): boolean {
  return isDefinition(object) || ['admissionregistration.k8s.io', 'apiregistration.k8s.io'].includes(kindOf(object).group);
}

function problemOf({ finding, place }: FoundByRule, { content, start, root }: CheckedObject, rulePage: Linting['rulePage']): TextProblem {
  const range = rangeOfNode(content.text, nodeAt(root, place.pointer));
  const severity = finding.severity === 'info' ? 'info' : 'warning';
  const message = finding.fix === '' ? finding.message : `${finding.message}; ${finding.fix}`;
  return {
    start: start + range.start,
    end: start + range.end,
    severity,
    source: 'webhook-cli',
    code: finding.rule,
    href: rulePage(finding.rule),
    message,
  };
}

/** Returns the node of a JSON pointer, or the nearest one around it. */
function nodeAt(root: TextNode, pointer: string): { readonly node: TextNode; readonly entry: MapTextEntry | undefined } {
  let found: { readonly node: TextNode; readonly entry: MapTextEntry | undefined } = { node: root, entry: undefined };
  for (const step of pointerSteps(pointer)) {
    const target = targetOfAlias(found.node);
    const entry = entryOf(target, step);
    const item = target.kind === 'list' ? target.items[Number(step)] : undefined;
    if (entry === undefined && item === undefined) break;
    found = entry === undefined ? { node: item ?? target, entry: undefined } : { node: entry.value, entry };
  }
  return found;
}
