import { quote } from '../kubernetes/quote.js';
import type { JsonNode } from './json-node.js';

/**
 * The keys that stand twice in an object, as strict field validation reports them: `duplicate field "spec.a"`, in document order, each path
 * once, at most 100. Source: sigs.k8s.io/json kubernetes_patch.go.
 */
export function duplicateFields(node: JsonNode): string[] {
  const found = new Set<string>();
  const open: Visit[] = [{ node, path: undefined, at: 0, seen: undefined }];
  for (let visit = open.at(-1); visit !== undefined && found.size < maximumErrors; visit = open.at(-1)) {
    const child = visit.node.type === 'object' ? memberOf(visit, found) : itemOf(visit);
    if (child === undefined) open.pop();
    else if (child.node.type === 'object' || child.node.type === 'array') open.push({ ...child, at: 0, seen: undefined });
  }
  return [...found];
}

/** How many strict errors Go keeps. */
const maximumErrors = 100;

interface Visit {
  readonly node: JsonNode;
  /** Absent for the whole document. */
  readonly path: string | undefined;
  at: number;
  /** The keys so far; made when there is more than one. */
  seen: Set<string> | undefined;
}

function memberOf(visit: Visit, found: Set<string>): { node: JsonNode; path: string } | undefined {
  if (visit.node.type !== 'object') return undefined;
  const { members } = visit.node;
  const member = members[visit.at];
  if (member === undefined) return undefined;
  visit.at += 1;
  const path = visit.path === undefined ? member.key : `${visit.path}.${member.key}`;
  if (members.length > 1) {
    visit.seen ??= new Set();
    if (visit.seen.has(member.key)) found.add(`duplicate field ${quote(path)}`);
    visit.seen.add(member.key);
  }
  return { node: member.value, path };
}

function itemOf(visit: Visit): { node: JsonNode; path: string } | undefined {
  if (visit.node.type !== 'array') return undefined;
  const item = visit.node.items[visit.at];
  if (item === undefined) return undefined;
  visit.at += 1;
  return { node: item, path: `${visit.path ?? ''}[${visit.at - 1}]` };
}
