import { ownMember } from '../../go/own-members.js';

/** Reserved words, which cannot be identifiers. Source: apiserver pkg/cel/escaping.go celReservedSymbols. */
const reserved: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
]);

const escapes: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Reports whether a name is a reserved word that expressions may still use as a field. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/**
 * Escapes a property name as an identifier: `a-b` becomes `a__dash__b`. Undefined for names that cannot be escaped, such as `1st` or `a b`,
 * which are not visible to expressions. Source: apiserver pkg/cel/escaping.go Escape.
 */
export function escapePropertyName(name: string): string | undefined {
  if (name === '' || /^[0-9]/.test(name) || /[^a-zA-Z0-9_./-]/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, found => `__${Object.keys(escapes).find(word => ownMember(escapes, word) === found)}__`);
}

/** Unescapes an identifier to the property name; undefined for an invalid escape. Source: escaping.go Unescape. */
export function unescapePropertyName(identifier: string): string | undefined {
  let valid = true;
  const name = identifier.replace(/__[^_]+__/g, found => {
    const word = found.slice(2, -2);
    const symbol = ownMember(escapes, word);
    if (symbol !== undefined) return symbol;
    valid &&= reserved.has(word) && found.length === identifier.length;
    return word;
  });
  return valid ? name : undefined;
}
