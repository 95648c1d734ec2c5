/** A path that an expression reads: `object.metadata.labels.app`, `object.metadata.annotations['a.b/c']`. */
const paths = /\b(?:object|oldObject|request|namespaceObject)(?:\.[A-Za-z_]\w*(?!\w*\()|\[(?:'[^']*'|"[^"]*")\])+/g;

const defaults = ["''", '0', 'false', '[]', '{}'] as const;

/**
 * Returns expressions that may repair a condition which fails, the best first: with optional selection of the member that is missing, and
 * with a guard for operations without the object. They are not tried.
 */
export function repairsOf(expression: string, failures: readonly { readonly operation: string; readonly error: string }[]): string[] {
  const keys = new Set(failures.flatMap(({ error }) => /^no such key: (.*)$/s.exec(error)?.[1] ?? []));
  const operations = [...new Set(failures.map(({ operation }) => operation))];
  const optional = optionalVariants(expression, keys);
  const guard = operations.map(operation => `request.operation == '${operation}'`).join(' || ');
  const guarded = [expression, ...optional].map(one => `${guard} || (${one.trim()})`);
  return [...optional, ...guarded];
}

/** Returns the expression with optional selection from the first missing member of each path on, for several default values. */
function optionalVariants(expression: string, keys: ReadonlySet<string>): string[] {
  const variants = defaults.map(value =>
    expression.replaceAll(paths, (path: string, at: number) => {
      const isTested = /\bhas\(\s*$/.test(expression.slice(0, at));
      return isTested ? path : optionalPath(path, keys, likeComparedValue(expression.slice(at + path.length)) ?? value);
    }),
  );
  return [...new Set(variants)].filter(variant => variant !== expression);
}

/** Returns the default value of the type that a path is compared with; undefined if it is not compared with a literal. */
function likeComparedValue(rest: string): string | undefined {
  const literal = /^\s*[!=<>]=?\s*('|"|-?\d+(?:\.\d+)?|true|false|\[)/.exec(rest)?.[1];
  if (literal === undefined) return undefined;
  if (literal === "'" || literal === '"') return "''";
  if (literal === 'true' || literal === 'false') return 'false';
  if (literal === '[') return '[]';
  return literal.includes('.') ? '0.0' : '0';
}

function optionalPath(path: string, keys: ReadonlySet<string>, value: string): string {
  const [root = '', ...steps] = path.match(/^\w+|\.\w+|\[[^\]]*\]/g) ?? [];
  const from = steps.findIndex(step => keys.has(nameOf(step)));
  if (from < 0) return path;
  const after = steps.slice(from).map(step => (step.startsWith('.') ? `.?${step.slice(1)}` : `[?${step.slice(1)}`));
  return `${root}${steps.slice(0, from).join('')}${after.join('')}.orValue(${value})`;
}

function nameOf(step: string): string {
  return step.startsWith('.') ? step.slice(1) : step.slice(2, -2);
}
