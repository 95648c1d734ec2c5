import type { CallNode, Expr } from '../cel/syntax/ast.js';
import { nodesOfExpression } from './expressions.js';

/** Part of the language that an expression uses, and the oldest minor of Kubernetes (28 for v1.28) whose API server accepts it in new expressions. */
export interface ExpressionFeature {
  /** `quantity()`, `optional types (?. and optional.of)` */
  readonly name: string;
  readonly since: number;
}

/** A function or macro by its name; of a value (`a.f()`) or not. */
interface FeatureOfCalls extends ExpressionFeature {
  readonly functions: readonly string[];
  /** Absent: both. */
  readonly member?: boolean;
  /** Arguments that a call must have; absent: any number. */
  readonly args?: number;
}

/**
 * Libraries by the minor that accepts them in new expressions: the one after the minor that introduces them, which evaluates them only if
 * they are stored already. What a library constructs needs its constructor, so their other functions are not listed. Functions of all
 * minors since v1.25 are absent. Source: apiserver pkg/cel/environment/base.go.
 */
const features: readonly FeatureOfCalls[] = [
  { name: 'the authorizer', since: 28, functions: ['allowed', 'authorized'], member: true },
  { name: 'quantities (quantity, isQuantity)', since: 29, functions: ['quantity', 'isQuantity'], member: false },
  {
    name: 'optional values (?., [?], optional.of)',
    since: 29,
    functions: ['optional.of', 'optional.ofNonZeroValue', 'optional.none', '_?._', '_[?_]', 'optMap', 'optFlatMap', 'orValue', 'hasValue'],
  },
  { name: 'format and strings.quote', since: 30, functions: ['format', 'strings.quote'], args: 1 },
  { name: 'sets', since: 30, functions: ['sets.contains', 'sets.equivalent', 'sets.intersects'] },
  { name: 'IP addresses (ip, isIP)', since: 31, functions: ['ip', 'isIP', 'ip.isCanonical'], member: false },
  { name: 'networks (cidr, isCIDR)', since: 31, functions: ['cidr', 'isCIDR'], member: false },
  { name: 'named formats (format.named, format.dns1123Label ...)', since: 32, functions: [] },
  { name: 'selectors of the authorizer', since: 32, functions: ['fieldSelector', 'labelSelector'], member: true },
  {
    name: 'macros of two variables (transformList, transformMap)',
    since: 33,
    functions: ['transformList', 'transformMap', 'transformMapEntry', 'cel.@mapInsert'],
  },
  { name: 'semantic versions (semver, isSemver)', since: 34, functions: ['semver', 'isSemver'], member: false },
  {
    name: 'lists (sort, distinct, flatten, slice, first, last, reverse, lists.range)',
    since: 35,
    functions: ['sort', 'sortBy', '@sortByAssociatedKeys', 'distinct', 'flatten', 'slice', 'first', 'last', 'reverse', 'lists.range'],
  },
  { name: 'includes', since: 38, functions: ['includes'], member: true },
  { name: 'isMask', since: 39, functions: ['isMask'], member: true },
];

/** Returns the features of an expression that the API server of an older minor does not accept, the newest first. */
export function featuresAfter(expr: Expr, minor: number): ExpressionFeature[] {
  const used = new Set<ExpressionFeature>();
  for (const node of nodesOfExpression(expr)) {
    const feature = featureOf(node);
    if (feature !== undefined && feature.since > minor) used.add(feature);
  }
  return [...used].sort((a, b) => b.since - a.since);
}

function featureOf({ node }: Expr): ExpressionFeature | undefined {
  if (node.kind === 'comprehension') return node.iterVar2 === undefined ? undefined : named('macros of two variables');
  if (node.kind !== 'call') return undefined;
  const isFormat = node.target?.node.kind === 'ident' && node.target.node.name === 'format';
  return isFormat ? named('named formats') : features.find(feature => isCallOf(node, feature));
}

function isCallOf({ function: name, target, args }: CallNode, feature: FeatureOfCalls): boolean {
  if (feature.member !== undefined && feature.member !== (target !== undefined)) return false;
  // A function of a namespace, `sets.contains(a, b)`, looks like one of a variable before its names are resolved.
  const full = target?.node.kind === 'ident' ? `${target.node.name}.${name}` : name;
  const isNamed = feature.functions.includes(name) || feature.functions.includes(full);
  return isNamed && (feature.args === undefined || args.length === feature.args);
}

function named(start: string): ExpressionFeature | undefined {
  return features.find(({ name }) => name.startsWith(start));
}
