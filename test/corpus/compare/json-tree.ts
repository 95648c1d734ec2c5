/**
 * JSON for comparing: numbers keep their digits, so that 1 and 1.0 and numbers beyond float64 can be told apart or found equal by
 * value. Does not use the project's own reader, whose bugs would go unnoticed.
 */
export type Tree = null | boolean | string | NumberText | Tree[] | { [key: string]: Tree };

export interface NumberText {
  readonly [numberMark]: string;
}

const numberMark = '\u0000number';

/** A number of any size in a tree. */
export function numberOf(integer: bigint): NumberText {
  return { [numberMark]: String(integer) };
}

/** Parses a JSON text; returns the text itself if it is not JSON. Control characters in strings are allowed. */
export function parseTree(text: string): Tree {
  try {
    return JSON.parse(text.replace(token, marked)) as Tree;
  } catch {
    return text;
  }
}

/** Reports whether the text is one JSON document. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Control characters are allowed.
  }
  const tree = parseTree(text);
  return tree !== text || /^\s*"/.test(text);
}

/** Compact JSON of a tree; numbers as they were written. */
export function printTree(tree: Tree): string {
  return JSON.stringify(tree).replace(/\{"\\u0000number":"([^"]*)"\}/g, '$1');
}

/** Reports whether the value is an object, not a number. */
export function isObject(tree: Tree | undefined): tree is { [key: string]: Tree } {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree) && !isNumber(tree);
}

/** Reports equality, ignoring key order, escapes and the notation of numbers, but not types. */
export function sameLeaves(a: Tree | undefined, b: Tree | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameLeaves(item, b[i]));
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every(k => Object.hasOwn(b, k) && sameLeaves(a[k], b[k]));
  }
  if (isNumber(a) && isNumber(b)) return decimalOf(a[numberMark]) === decimalOf(b[numberMark]);
  return a === b;
}

/** Returns the first difference of two trees: a pointer and both values. */
export function firstLeaf(a: Tree, b: Tree, at = ''): string {
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const left = a[key];
      const right = b[key];
      if (left === undefined) return `${at}/${key}: not recorded: ${shortened(right ?? null)}`;
      if (right === undefined) return `${at}/${key}: missing: ${shortened(left)}`;
      if (!sameLeaves(left, right)) return firstLeaf(left, right, `${at}/${key}`);
    }
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [i, left] of a.entries()) {
      const right = b[i] ?? null;
      if (!sameLeaves(left, right)) return firstLeaf(left, right, `${at}/${i}`);
    }
  }
  return `${at}: recorded ${shortened(a)}, produced ${shortened(b)}`;
}

const token = /"(?:[^"\\]|\\[\s\S])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function marked(text: string): string {
  if (text.startsWith('"')) return text.replace(/[\x00-\x1f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // Leave numbers with a leading zero, which are invalid, to the parser.
  return /^-?0\d/.test(text) ? text : `{"\\u0000number":"${text}"}`;
}

function isNumber(tree: Tree | undefined): tree is NumberText {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree) && Object.hasOwn(tree, numberMark);
}

/** A number's value as text that is equal for equal values: digits without zeros at the ends, and the power of ten. */
function decimalOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

function shortened(tree: Tree): string {
  return printTree(tree).slice(0, 200);
}
