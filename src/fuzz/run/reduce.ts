import { copyOf, ensureMap, isList, isMap, mapAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { FuzzedResource, FuzzInput } from '../inputs/input.js';
import type { Path } from '../inputs/with-value.js';
import { shorterTexts, simplerIntegers } from '../values/pools.js';

/** Bounds of a reduction. */
export interface ReduceLimits {
  readonly maxTries: number;
  /** Calls made at the same time. */
  readonly width: number;
  /** Reports whether the time is over. */
  readonly isOver: () => boolean;
  /** A plain object of the kind. */
  readonly plain: ValueMap | undefined;
  /** Plain objects of all kinds: a bug may not depend on the kind. */
  readonly others: readonly { readonly target: FuzzedResource; readonly plain: ValueMap }[];
}

/**
 * Returns the smallest call, found greedily, that `shows` the bug: a plainer call first, then fewer fields, then shorter values. `shows` reports
 * for each of some calls whether it does.
 */
export async function reduceInput(
  input: FuzzInput,
  shows: (inputs: readonly FuzzInput[]) => Promise<readonly boolean[]>,
  { maxTries, width, isOver, plain, others }: ReduceLimits,
): Promise<FuzzInput> {
  let smallest = input;
  let tries = 0;
  const isDone = (): boolean => tries >= maxTries || isOver();
  const attempt: Attempt = async candidates => {
    for (let at = 0; at < candidates.length; at += width) {
      if (isDone()) return -1;
      const group = candidates.slice(at, at + width);
      tries += group.length;
      const found = (await shows(group)).indexOf(true);
      const candidate = group[found];
      if (candidate === undefined) continue;
      smallest = candidate;
      return at + found;
    }
    return -1;
  };
  for (const plainer of plainerCalls()) await attempt([plainer(smallest)]);
  await attempt(ofOtherKinds(smallest, others));
  await transplantParts(smallest, plain, attempt);
  const steps = [
    withoutParts('both', width),
    ...(input.old === undefined ? [] : [withoutParts('object', width), withoutParts('old', width)]),
    shortenValues,
    withoutParts('both', width),
  ];
  for (const step of steps) await step(() => smallest, attempt, isDone);
  return smallest;
}

/** Makes calls until one shows the bug, which is then the smallest; returns its index, or -1. */
type Attempt = (candidates: readonly FuzzInput[]) => Promise<number>;
/** Ends when it is done: each call that is not made would still cost a copy of the object. */
type Step = (current: () => FuzzInput, attempt: Attempt, isDone: () => boolean) => Promise<void>;

function plainerCalls(): ((input: FuzzInput) => FuzzInput)[] {
  return [
    input => ({ ...input, operation: 'create', subresource: undefined, old: undefined, patch: undefined, object: input.object }),
    input =>
      input.old === undefined || input.operation === 'create'
        ? input
        : { ...input, operation: 'create', subresource: undefined, patch: undefined, object: input.old, old: undefined },
    input => ({ ...input, isDryRun: false }),
    input => ({ ...input, user: undefined }),
    input => ({ ...input, options: undefined }),
    input => (input.old === undefined ? input : { ...input, old: copyOf(input.object) }),
    input => (input.patch === undefined ? input : { ...input, operation: 'update', patch: undefined }),
  ];
}

/** Returns creations of plain objects of kinds with smaller ones, the smallest first. */
function ofOtherKinds(input: FuzzInput, others: ReduceLimits['others']): FuzzInput[] {
  if (input.operation !== 'create' || input.subresource !== undefined) return [];
  const own = linesOf(input.object);
  return others
    .filter(({ target, plain }) => target !== input.target && linesOf(plain) < own)
    .sort((a, b) => linesOf(a.plain) - linesOf(b.plain))
    .map(({ target, plain }) => ({ ...input, target, object: plain }));
}

/** Lines of a value in a manifest. */
function linesOf(value: Value): number {
  if (isMap(value))
    return [...value.values()].reduce((sum: number, member) => sum + 1 + (isMap(member) || isList(member) ? linesOf(member) : 0), 0);
  return isList(value) ? value.reduce((sum: number, item) => sum + Math.max(1, linesOf(item)), 0) : 1;
}

/** Tries a plain object, then one with a single part of the call's object, then one with a single part of that part. */
async function transplantParts(input: FuzzInput, plain: ValueMap | undefined, attempt: Attempt): Promise<void> {
  if (plain === undefined) return;
  const base = withName(plain, input.object);
  const callWith = (object: ValueMap): FuzzInput => ({
    ...input,
    object,
    old: input.old === undefined ? undefined : input.operation === 'update' ? base : object,
  });
  if ((await attempt([callWith(base)])) >= 0) return;
  for (let path: Path = []; ; ) {
    const part = valueAt(input.object, ...path);
    const keys = isMap(part) ? [...part.keys()] : isList(part) ? [...part.keys()].slice(0, maxItems) : [];
    const choices = keys.flatMap(key => {
      const copy = copyOf(base);
      const own = [...path, key];
      return !isFixed(path, key) || key === 'metadata' ? (planted(copy, input.object, own) ? [{ own, call: callWith(copy) }] : []) : [];
    });
    const found = choices[await attempt(choices.map(({ call }) => call))];
    if (found === undefined) return;
    path = found.own;
  }
}

/** Items that are tried alone; more are removed by halves. */
const maxItems = 3;

function withName(plain: ValueMap, object: ValueMap): ValueMap {
  const copy = copyOf(plain);
  const metadata = ensureMap(copy, 'metadata');
  for (const key of ['name', 'generateName', 'namespace']) {
    const value = mapAt(object, 'metadata')?.get(key);
    if (value === undefined) metadata.delete(key);
    else metadata.set(key, value);
  }
  return copy;
}

/** Copies the value at a path into another object, whose lists may be shorter. */
function planted(to: ValueMap, from: ValueMap, path: readonly (string | number)[]): boolean {
  let source: Value | undefined = from;
  let target: Value = to;
  for (const [i, step] of path.entries()) {
    const inner: Value | undefined = isMap(source) ? source.get(String(step)) : isList(source) ? source[Number(step)] : undefined;
    if (inner === undefined) return false;
    const isLast = i === path.length - 1;
    if (isMap(target)) {
      const known: Value | undefined = target.get(String(step));
      const next: Value = isLast ? copyOf(inner) : (known ?? (isMap(inner) ? new Map() : []));
      target.set(String(step), next);
      target = next;
    } else if (isList(target)) {
      const index = Math.min(Number(step), target.length);
      const next: Value = isLast ? copyOf(inner) : (target[index] ?? copyOf(inner));
      target[index] = next;
      target = next;
    } else return false;
    source = inner;
  }
  return true;
}

type Part = 'object' | 'old' | 'both';

/** Removes members and items, outer ones first; large lists and maps by halves. */
function withoutParts(part: Part, width: number): Step {
  return async (current, attempt, isDone) => {
    for (let isSmaller = true; isSmaller && !isDone(); ) {
      isSmaller = false;
      const paths = removable(rootOf(current(), part));
      for (let at = 0; at < paths.length && !isDone(); ) {
        const group: { readonly next: number; readonly input: FuzzInput }[] = [];
        let next = at;
        for (; next < paths.length && group.length < width; next += 1) {
          const input = withoutPaths(current(), part, paths[next] ?? []);
          if (input !== undefined) group.push({ next: next + 1, input });
        }
        const found = group[await attempt(group.map(({ input }) => input))];
        isSmaller ||= found !== undefined;
        at = found?.next ?? next;
      }
    }
  };
}

function rootOf(input: FuzzInput, part: Part): Value {
  if (part === 'old') return input.old ?? null;
  return input.object;
}

type Paths = readonly Path[];

const required = new Set(['apiVersion', 'kind', 'metadata']);

/** Returns sets of paths to remove together, the largest first; inner ones in reverse, so that indexes stay valid. */
function removable(root: Value): Paths[] {
  const found: Paths[] = [];
  const visit = (value: Value, path: readonly (string | number)[]): void => {
    const keys: (string | number)[] = isMap(value) ? [...value.keys()] : isList(value) ? [...value.keys()].reverse() : [];
    const own = keys.filter(key => !isFixed(path, key)).map(key => [...path, key]);
    if (own.length > 3) found.push(own);
    for (let size = own.length > 3 ? Math.ceil(own.length / 2) : 1; ; size = Math.ceil(size / 2)) {
      for (let at = 0; at < own.length; at += size) found.push(own.slice(at, at + size));
      if (size === 1) break;
    }
    for (const key of keys) {
      const member = isMap(value) ? value.get(String(key)) : isList(value) ? value[Number(key)] : undefined;
      if (member !== undefined) visit(member, [...path, key]);
    }
  };
  visit(root, []);
  return found;
}

function isFixed(path: readonly (string | number)[], key: string | number): boolean {
  return path.length === 0 && required.has(String(key));
}

function withoutPaths(input: FuzzInput, part: Part, paths: Paths): FuzzInput | undefined {
  const object = part === 'old' ? input.object : without(input.object, paths);
  const old = input.old === undefined || part === 'object' ? input.old : (without(input.old, paths) ?? input.old);
  if (object === undefined || (part === 'old' && old === input.old)) return undefined;
  return { ...input, object, old };
}

/** Returns the object without the values at these paths; undefined when there is none of them. */
function without(object: ValueMap, paths: Paths): ValueMap | undefined {
  const copy = copyOf(object);
  let isChanged = false;
  for (const path of paths) {
    const holder = holderOf(copy, path);
    const key = path.at(-1) ?? '';
    if (isMap(holder)) isChanged = holder.delete(String(key)) || isChanged;
    else if (isList(holder) && Number(key) < holder.length) {
      holder.splice(Number(key), 1);
      isChanged = true;
    }
  }
  return isChanged ? copy : undefined;
}

function holderOf(root: Value, path: readonly (string | number)[]): Value | undefined {
  let at: Value | undefined = root;
  for (const step of path.slice(0, -1)) at = isMap(at) ? at.get(String(step)) : isList(at) ? at[Number(step)] : undefined;
  return at;
}

/** Replaces texts and numbers by shorter and simpler ones. */
const shortenValues: Step = async (current, attempt, isDone) => {
  const leaves: (readonly (string | number)[])[] = [];
  const visit = (value: Value, path: readonly (string | number)[]): void => {
    if (isMap(value)) for (const [key, member] of value) visit(member, [...path, key]);
    else if (isList(value)) for (const [i, item] of value.entries()) visit(item, [...path, i]);
    else if (!(path.length === 1 && required.has(String(path[0]))) && !isFixed(path.slice(0, -1), path.at(-1) ?? '')) leaves.push(path);
  };
  visit(current().object, []);
  for (const path of leaves) {
    if (isDone()) return;
    for (let isShorter = true; isShorter; ) {
      isShorter = false;
      const holder = holderOf(current().object, path);
      const key = path.at(-1) ?? '';
      const value = isMap(holder) ? holder.get(String(key)) : isList(holder) ? holder[Number(key)] : undefined;
      const candidates = simplerValues(value).map(simpler => {
        const object = withValue(current().object, path, simpler);
        const old = current().old;
        return { ...current(), object, old: old === undefined ? undefined : withValue(old, path, simpler, value) };
      });
      isShorter = (await attempt(candidates)) >= 0;
    }
  }
};

function simplerValues(value: Value | undefined): Value[] {
  if (typeof value === 'string') return value.length <= 1 ? [] : [...(value.length > 3 ? ['a'] : []), ...shorterTexts(value)];
  if (typeof value === 'bigint') return simplerIntegers(value);
  return [];
}

/** Returns a copy with another value at a path, if the value there is `expected` or none is expected. */
function withValue(object: ValueMap, path: readonly (string | number)[], value: Value, expected?: Value): ValueMap {
  const copy = copyOf(object);
  const holder = holderOf(copy, path);
  const key = path.at(-1) ?? '';
  const before = isMap(holder) ? holder.get(String(key)) : isList(holder) ? holder[Number(key)] : undefined;
  if (before === undefined || (expected !== undefined && before !== expected)) return copy;
  if (isMap(holder)) holder.set(String(key), value);
  else if (isList(holder)) holder[Number(key)] = value;
  return copy;
}
