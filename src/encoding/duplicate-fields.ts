import type { JsonMember, JsonNode } from '../go/json/node.js';
import { quote } from '../go/quote.js';

/**
 * Returns the duplicate keys of an object as strict field validation reports them: `duplicate field "spec.a"`, in document order, each
 * path once, at most 100. `within` is the path of the value. Source: sigs.k8s.io/json kubernetes_patch.go.
 */
export function duplicateFields(node: JsonNode, within = ''): string[] {
  const found = new Set<string>();
  const open: Visit[] = [visitOf(node)];
  for (let visit = open.at(-1); visit !== undefined && found.size < maximumErrors; visit = open.at(-1)) {
    const member = visit.members?.[visit.at];
    const child = member?.value ?? visit.items?.[visit.at];
    if (child === undefined) {
      open.pop();
      continue;
    }
    visit.at += 1;
    if (member !== undefined && visit.repeats && stoodBefore(visit)) found.add(`duplicate field ${quote(pathOf(open, within))}`);
    if (child.type === 'object' || child.type === 'array') open.push(visitOf(child));
  }
  return [...found];
}

/** Max number of strict errors that Go keeps. */
const maximumErrors = 100;

/** Object or list around the current value, which is the one before `at`. */
interface Visit {
  readonly members: readonly JsonMember[] | undefined;
  readonly items: readonly JsonNode[] | undefined;
  readonly repeats: boolean;
  readonly seen: Set<string>;
  at: number;
}

const nothing = new Set<string>();

function visitOf(node: JsonNode): Visit {
  const members = node.type === 'object' ? node.members : undefined;
  const repeats = members !== undefined && members.length > 1 && hasRepeatedKey(members);
  return { members, items: node.type === 'array' ? node.items : undefined, repeats, seen: repeats ? new Set() : nothing, at: 0 };
}

function hasRepeatedKey(members: readonly JsonMember[]): boolean {
  if (members.length > 12) return new Set(members.map(m => m.key)).size < members.length;
  return members.some((member, i) => {
    for (let k = 0; k < i; k += 1) if (members[k]?.key === member.key) return true;
    return false;
  });
}

function stoodBefore({ members, seen, at }: Visit): boolean {
  const key = members?.[at - 1]?.key ?? '';
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

function pathOf(open: readonly Visit[], within: string): string {
  const steps = open.map(({ members, at }) => (members === undefined ? `[${at - 1}]` : `.${members[at - 1]?.key ?? ''}`));
  return `${within}${steps.join('')}`.replace(/^\./, '');
}
