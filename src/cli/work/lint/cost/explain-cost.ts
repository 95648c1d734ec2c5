import { costsOfRulesAt } from '../../../../apis/apiextensions/custom-resource-definition/validation/costs-of-rules.js';
import { expressionCostLimit, schemaCostLimit } from '../../../../apis/apiextensions/custom-resource-definition/validation/rule-costs.js';
import type { DearestPart } from '../../../../cel/estimates/dearest-part.js';
import { smallerOf } from '../../../../cel/estimates/uint64.js';
import { expressionText } from '../../../../cel/subexpressions.js';
import { pointerSteps } from '../../../../encoding/json-pointer.js';
import { ownMember } from '../../../../go/own-members.js';
import { isMap, mapAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import type { FoundByRule, LintedDefinition } from '../../../../lint/rule.js';
import { ancestorsOf, rulesAt, type SchemaNode, schemaNodes } from '../../../../lint/schema-nodes.js';
import { type Bound, type CostWith, type Limit, type SufficientLimits, sufficientLimits } from './limits.js';

/** Expression of a rule, with its cost. */
interface Expression {
  readonly node: SchemaNode;
  readonly index: number;
  readonly member: 'rule' | 'messageExpression';
  readonly text: string;
  readonly cost: bigint;
  readonly dearest: () => DearestPart | undefined;
}

/** Returns a finding for each expression of a definition that may cost too much: which sizes drive it, and the limits that suffice. */
export function explainCosts(server: ApiServer, definition: LintedDefinition): FoundByRule[] {
  const versions = new Map<SchemaNode, SchemaNode[]>();
  for (const node of schemaNodes(definition)) {
    const root = ancestorsOf(node).at(-1) ?? node;
    versions.set(root, [...(versions.get(root) ?? []), node]);
  }
  return [...versions].flatMap(([root, nodes]) => costsOfVersion({ server, root, nodes }, definition));
}

/** Schema of a version: its root, and all schemas in it. */
interface VersionSchema {
  readonly server: ApiServer;
  readonly root: SchemaNode;
  readonly nodes: readonly SchemaNode[];
}

function costsOfVersion(version: VersionSchema, definition: LintedDefinition): FoundByRule[] {
  const expressions = version.nodes.flatMap(node => expressionsAt(version, node));
  const excessive = expressions.filter(({ cost }) => cost > expressionCostLimit);
  const total = expressions.reduce((sum, { cost }) => sum + smallerOf(cost, expressionCostLimit), 0n);
  const own = excessive.map(expression => {
    const solved = sufficientLimits(boundsOf(version, expression), costOf(version, [expression]), expressionCostLimit);
    const at = `${expression.node.pointer}/x-kubernetes-validations/${expression.index}/${expression.member}`;
    const subject = `${expression.member === 'rule' ? 'the rule' : 'the messageExpression'} at ${placeName(expression.node)}`;
    const costs = `${subject} may cost ${excess(expression.cost, expressionCostLimit)}${dearestText(expression)}`;
    return found(definition, at, costs, solved);
  });
  return total <= schemaCostLimit ? own : [...own, ofTotal(version, definition, { expressions, total })];
}

/** Reports the rules of a version that are together too expensive, though none of them alone is counted above its limit. */
function ofTotal(
  version: VersionSchema,
  definition: LintedDefinition,
  { expressions, total }: { readonly expressions: readonly Expression[]; readonly total: bigint },
): FoundByRule {
  const dearest = [...expressions].sort((a, b) => Number(b.cost > a.cost) - Number(b.cost < a.cost)).slice(0, mostNamed * 4);
  const bounds = [...new Set(dearest.flatMap(expression => boundsOf(version, expression)))];
  const unique = bounds.filter((bound, i) => bounds.findIndex(({ node }) => node === bound.node) === i);
  const rest = expressions.filter(expression => !dearest.includes(expression)).reduce((sum, { cost }) => sum + cost, 0n);
  const ofDearest = costOf(version, dearest);
  const solved = sufficientLimits(unique, limits => ofDearest(limits) + rest, schemaCostLimit);
  return found(definition, version.root.pointer, `the rules of the version may together cost ${excess(total, schemaCostLimit)}`, solved);
}

function expressionsAt({ server, root }: VersionSchema, node: SchemaNode): Expression[] {
  const rules = rulesAt(node);
  if (rules.length === 0) return [];
  return costsOfRulesAt(server, root.schema, stepsFrom(root, node)).flatMap(({ rule, messageExpression, dearestIn }, index) => {
    const text = (member: string): string => stringAt(rules[index], member);
    const own: Expression = { node, index, member: 'rule', text: text('rule'), cost: rule, dearest: () => dearestIn('rule') };
    if (messageExpression === undefined) return [own];
    const dearest = (): DearestPart | undefined => dearestIn('messageExpression');
    return [own, { node, index, member: 'messageExpression', text: text('messageExpression'), cost: messageExpression, dearest }];
  });
}

function stepsFrom(root: SchemaNode, node: SchemaNode): string[] {
  return pointerSteps(node.pointer.slice(root.pointer.length));
}

/** Returns the cost of expressions after limits are set in the schema. */
function costOf({ server, root }: VersionSchema, expressions: readonly Expression[]): CostWith {
  return limits => {
    const schema = limits.reduce<ValueMap>(
      (changed, { bound, value }) => withMember(changed, [...stepsFrom(root, bound.node), bound.member], value),
      root.schema,
    );
    return expressions.reduce((sum, { node, index, member }) => {
      const costs = costsOfRulesAt(server, schema, stepsFrom(root, node))[index];
      return sum + (costs?.[member] ?? 0n);
    }, 0n);
  };
}

/** Returns a copy with another value at the end of the steps, which exist in between. */
function withMember(map: ValueMap, [step = '', ...rest]: readonly string[], value: Value): ValueMap {
  const inner = map.get(step);
  return new Map([...map, [step, rest.length === 0 ? value : isMap(inner) ? withMember(inner, rest, value) : value] as const]);
}

/** Returns the bounds on which the cost of an expression can depend: those of the values around it, and of those that it names. */
function boundsOf({ nodes }: VersionSchema, { node, text }: Expression): Bound[] {
  const around = [node, ...ancestorsOf(node)];
  const words = new Set(text.match(/\w+/g));
  const isNamed = (inner: SchemaNode): boolean => {
    const path = [inner, ...ancestorsOf(inner)];
    const at = path.indexOf(node);
    return (
      at > 0 &&
      path.slice(0, at).every(({ property }) => property === undefined || words.has(property.replaceAll(/\W/g, '_')) || words.has(property))
    );
  };
  return nodes.filter(other => around.includes(other) || isNamed(other)).flatMap(other => boundAt(other) ?? []);
}

const memberByType: Readonly<Record<string, Bound['member']>> = { array: 'maxItems', string: 'maxLength', object: 'maxProperties' };

function boundAt(node: SchemaNode): Bound | undefined {
  const type = stringAt(node.schema, 'type') || (node.schema.get('x-kubernetes-int-or-string') === true ? 'string' : '');
  const member = ownMember(memberByType, type);
  if (member === undefined || (type === 'object' && mapAt(node.schema, 'additionalProperties') === undefined)) return undefined;
  if (type === 'string' && node.schema.has('enum')) return undefined;
  const declared = node.schema.get(member);
  return { node, member, declared: typeof declared === 'bigint' ? declared : undefined };
}

const mostNamed = 4;

function found(definition: LintedDefinition, pointer: string, costs: string, solved: SufficientLimits): FoundByRule {
  const drivers = solved.drivers.slice(0, mostNamed).map(bound => `${placeName(bound.node)} ${sizeNow(bound)}`);
  const because = drivers.length === 0 ? 'the sizes of values are not the reason' : `it grows with ${drivers.join(', ')}`;
  return {
    finding: {
      rule: 'rule-cost',
      severity: 'info',
      configuration: definition.name,
      webhook: '',
      message: `${costs}: ${because}`,
      reason: 'the API server estimates the cost of an expression with the largest values that the schema allows',
      fix: fixOf(solved),
    },
    place: { object: definition.place.object, pointer },
  };
}

const longestPart = 120;

/** `, nearly all of it for "a == b", which is evaluated up to 1000 times` */
function dearestText({ dearest }: Expression): string {
  const part = dearest();
  if (part === undefined) return '';
  const text = expressionText(part.expr);
  const shown = text.length > longestPart ? `${text.slice(0, longestPart)}...` : text;
  const times = part.times > 1n ? `, which is evaluated up to ${part.times} times` : '';
  return `, nearly all of it for ${shown}${times}`;
}

function sizeNow({ member, declared }: Bound): string {
  return declared === undefined ? `(no ${member})` : `(${member}: ${declared})`;
}

function fixOf({ alternatives, together }: SufficientLimits): string {
  const alone = alternatives.slice(0, mostNamed).map(limitText);
  if (together.length > 1) {
    const others = alone.length === 0 ? '' : `; or one of them alone: ${alone.join(', ')}`;
    return `set ${together.map(limitText).join(' and ')}${others}`;
  }
  if (alone.length > 0) return `set ${alone.join(', or ')}`;
  return together.length > 0 ? `set ${together.map(limitText).join(' and ')}` : 'simplify the rule: no limit of sizes suffices';
}

function limitText({ bound: { node, member }, value }: Limit): string {
  return `${member}: ${value} at ${placeName(node)}`;
}

function placeName({ path }: SchemaNode): string {
  return path === '' ? 'the whole object' : path;
}

/** `181000000, 18.1 times the limit of 10000000` */
function excess(cost: bigint, limit: bigint): string {
  if (cost / limit > 1000n) return `more than 1000 times the limit of ${limit}`;
  return `${cost}, ${(Number(cost) / Number(limit)).toFixed(1)} times the limit of ${limit}`;
}
