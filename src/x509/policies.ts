import type { Certificate } from './certificate.js';
import { sameBytes } from './der-values.js';

/** The policy anyPolicy (2.5.29.32.0), as its contents octets in hex. */
const anyPolicy = '551d2000';

interface PolicyNode {
  readonly policy: string;
  expected: readonly string[];
  readonly parents: Set<PolicyNode>;
  readonly children: Set<PolicyNode>;
}

/** Valid policies so far: one layer for each certificate, from the root down. */
type PolicyGraph = Map<string, PolicyNode>[];

/**
 * Returns whether a chain (leaf first, root last) satisfies the policy constraints of its certificates, with any policy acceptable. Rules
 * of RFC 5280, 6.1, as RFC 9618 changed them. Source: crypto/x509 policiesValid.
 */
export function policiesAreValid(chain: readonly Certificate[]): boolean {
  const count = chain.length - 1;
  if (count === 0) return true;
  let graph: PolicyGraph | undefined = [new Map([[anyPolicy, newNode(anyPolicy, [])]])];
  const left = { anyPolicy: BigInt(count + 1), explicit: BigInt(count + 1), mapping: BigInt(count + 1) };
  for (let i = count - 1; i >= 0; i -= 1) {
    const certificate = chain[i];
    if (certificate === undefined) continue;
    if (certificate.policies.length === 0) graph = undefined;
    if (left.explicit === 0n && graph === undefined) return false;
    const selfIssued = sameBytes(certificate.rawIssuer, certificate.rawSubject);
    if (graph !== undefined) {
      addLayer(graph, certificate, left.anyPolicy > 0n || (i > 0 && selfIssued));
      if (i > 0 && !mapPolicies(graph, certificate, left.mapping > 0n)) return false;
    }
    if (i > 0) countDown(left, certificate, selfIssued);
  }
  const mustBeExplicit = left.explicit <= 1n || chain[0]?.requireExplicitPolicy === 0n;
  return !mustBeExplicit || (graph !== undefined && hasValidPolicy(graph));
}

/** Decreases the numbers of certificates that may do without; a certificate can only lower them. */
function countDown(left: { anyPolicy: bigint; explicit: bigint; mapping: bigint }, certificate: Certificate, selfIssued: boolean): void {
  const lowered = (current: bigint, stated: bigint | undefined): bigint => {
    const next = !selfIssued && current > 0n ? current - 1n : current;
    return stated !== undefined && stated >= 0n && stated < next ? stated : next;
  };
  left.explicit = lowered(left.explicit, certificate.requireExplicitPolicy);
  left.mapping = lowered(left.mapping, certificate.inhibitPolicyMapping);
  left.anyPolicy = lowered(left.anyPolicy, certificate.inhibitAnyPolicy);
}

/** Adds the policies of a certificate, each below the nodes that expect it; anyPolicy, if it counts, covers the other expected ones. */
function addLayer(graph: PolicyGraph, certificate: Certificate, anyPolicyCounts: boolean): void {
  const above = graph.at(-1) ?? new Map<string, PolicyNode>();
  const layer = new Map<string, PolicyNode>();
  graph.push(layer);
  const anyAbove = above.get(anyPolicy);
  for (const policy of certificate.policies.filter(p => p !== anyPolicy)) {
    const expecting = [...above.values()].filter(node => node.expected.includes(policy));
    const parents = expecting.length === 0 && anyAbove !== undefined ? [anyAbove] : expecting;
    if (parents.length > 0) layer.set(policy, newNode(policy, parents));
  }
  if (certificate.policies.includes(anyPolicy) && anyPolicyCounts) {
    const missing = new Set([...above.values()].flatMap(node => node.expected).filter(policy => !layer.has(policy)));
    for (const policy of missing) {
      layer.set(
        policy,
        newNode(
          policy,
          [...above.values()].filter(node => node.expected.includes(policy)),
        ),
      );
    }
  }
  prune(graph);
}

/** Applies the policy mappings of a certificate to the lowest layer; returns false if one maps from or to anyPolicy. */
function mapPolicies(graph: PolicyGraph, { policyMappings }: Certificate, allowed: boolean): boolean {
  const leaves = graph.at(-1) ?? new Map<string, PolicyNode>();
  if (policyMappings.length === 0) return true;
  const subjects = new Map<string, string[]>();
  for (const { issuer, subject } of policyMappings) {
    if (!allowed) removeNode(leaves, issuer);
    else if (issuer === anyPolicy || subject === anyPolicy) return false;
    else subjects.set(issuer, [...(subjects.get(issuer) ?? []), subject]);
  }
  prune(graph);
  for (const [issuer, expected] of subjects) {
    const anyLeaf = leaves.get(anyPolicy);
    const node = leaves.get(issuer) ?? (anyLeaf === undefined ? undefined : newNode(issuer, [anyLeaf]));
    if (node === undefined) continue;
    node.expected = expected;
    leaves.set(issuer, node);
  }
  return true;
}

/** A policy directly below anyPolicy is one that the authorities agree on; so is anyPolicy at the leaf. */
function hasValidPolicy(graph: PolicyGraph): boolean {
  const hangsUnderAny = ({ policy, parents }: PolicyNode) =>
    policy !== anyPolicy && parents.size === 1 && [...parents].every(parent => parent.policy === anyPolicy);
  return graph.some(layer => [...layer.values()].some(hangsUnderAny)) || graph.at(-1)?.has(anyPolicy) === true;
}

/** Removes nodes without children, from the layer above the lowest upward; the root stays. */
function prune(graph: PolicyGraph): void {
  for (let i = graph.length - 2; i > 0; i -= 1) {
    const layer = graph[i] ?? new Map<string, PolicyNode>();
    for (const [policy, node] of layer) if (node.children.size === 0) removeNode(layer, policy);
  }
}

function newNode(policy: string, parents: readonly PolicyNode[]): PolicyNode {
  const node: PolicyNode = { policy, expected: [policy], parents: new Set(parents), children: new Set() };
  for (const parent of parents) parent.children.add(node);
  return node;
}

function removeNode(layer: Map<string, PolicyNode>, policy: string): void {
  const node = layer.get(policy);
  if (node === undefined) return;
  for (const parent of node.parents) parent.children.delete(node);
  for (const child of node.children) child.parents.delete(node);
  layer.delete(policy);
}
