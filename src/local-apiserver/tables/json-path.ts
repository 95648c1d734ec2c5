import { isList, isMap, type Value } from '../../go/value.js';

type Step =
  | { readonly type: 'member'; readonly name: string }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'all' }
  | { readonly type: 'filter'; readonly path: readonly Step[]; readonly operator: string; readonly wanted: string };

/** Returns the values of a simple JSONPath: members, indexes, wildcards and filters. Source: client-go util/jsonpath. */
export function findPath(value: Value, path: string): Value[] {
  return follow([value], stepsOf(path));
}

function follow(values: readonly Value[], steps: readonly Step[]): Value[] {
  return steps.reduce<Value[]>((at, step) => at.flatMap(value => takeStep(value, step)), [...values]);
}

function takeStep(value: Value, step: Step): Value[] {
  if (step.type === 'member') {
    const found = isMap(value) ? value.get(step.name) : undefined;
    return found === undefined ? [] : [found];
  }
  if (step.type === 'index') {
    const found = isList(value) ? value.at(step.index) : undefined;
    return found === undefined ? [] : [found];
  }
  const members = isList(value) ? value : isMap(value) ? [...value.values()] : [];
  return step.type === 'all' ? members : members.filter(member => passes(member, step));
}

function passes(member: Value, { path, operator, wanted }: Extract<Step, { readonly type: 'filter' }>): boolean {
  const found = follow([member], path)[0];
  if (operator === '') return found !== undefined;
  if (found === undefined) return false;
  const text = String(found);
  return operator === '==' ? text === wanted : operator === '!=' ? text !== wanted : compared(Number(text), operator, Number(wanted));
}

function compared(a: number, operator: string, b: number): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}

const stepPattern =
  /\.((?:[^.[\\]|\\.)+)|\[(-?\d+)\]|\[\*\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[\?\(\s*@((?:\.(?:[^.[\\\s=!<>)]|\\.)+|\['[^']*'\])+)\s*(?:(==|!=|<=|>=|<|>)\s*("[^"]*"|'[^']*'|[^\s)]+)\s*)?\)\]/g;

function stepsOf(path: string): Step[] {
  return [...path.matchAll(stepPattern)].map(([all, member, index, single, double, filter, operator = '', wanted = '']) => {
    if (index !== undefined) return { type: 'index', index: Number(index) };
    if (filter !== undefined) return { type: 'filter', path: stepsOf(filter), operator, wanted: wanted.replace(/^(["'])(.*)\1$/, '$2') };
    const name = member ?? single ?? double;
    if (name === undefined || name === '*') return { type: 'all' };
    void all;
    return { type: 'member', name: name.replace(/\\(.)/g, '$1') };
  });
}
