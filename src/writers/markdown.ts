import { printable } from './printable.js';

/** Markup, cells of tables, mentions, and what GitHub makes links and emoji of: `https:`, `www.`, `:name:`. */
const syntax = /[\\`*_[\]<>#|~@&!$]|:(?=\/\/|[\w+-]+:)|(?<=www)\./gi;

/** Escapes a text so that it contains no Markdown and no HTML. Line breaks are those of HTML. */
export function markdownText(text: string): string {
  return printable(text)
    .replace(syntax, character => names.get(character) ?? `&#${character.charCodeAt(0)};`)
    .replaceAll('\n', '<br>');
}

const names: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
]);

/** Returns a code block with a fence that its text does not contain. */
export function fencedText(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${printable(text)}\n${fence}\n\n`;
}
