/** Words of the language that no identifier can be. Source: apiserver pkg/cel/escaping.go celReservedSymbols. */
const reserved: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
]);

const words: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Is a name a reserved word? Expressions may use it as a field all the same. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/**
 * The identifier that expressions use for a property: `a-b` is `a__dash__b`. Undefined for names that cannot be one, such as
 * `1st` or `a b`: expressions do not see those. Source: apiserver pkg/cel/escaping.go Escape.
 */
export function escapePropertyName(name: string): string | undefined {
  if (name === '' || /^[0-9]/.test(name) || /[^a-zA-Z0-9_./-]/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, found => `__${Object.keys(words).find(word => words[word] === found)}__`);
}

/** The property an identifier stands for; undefined when an escape in it is none. Source: escaping.go Unescape. */
export function unescapePropertyName(identifier: string): string | undefined {
  let valid = true;
  const name = identifier.replace(/__[^_]+__/g, found => {
    const word = found.slice(2, -2);
    const symbol = words[word];
    if (symbol !== undefined) return symbol;
    valid &&= reserved.has(word) && found.length === identifier.length;
    return word;
  });
  return valid ? name : undefined;
}
