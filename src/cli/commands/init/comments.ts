const strings = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
const comments: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(go|rs|java|kt|cs|scala|[cm]?[jt]s|php)$/, new RegExp(`(${strings.source})|\\/\\/.*|\\/\\*[^]*?\\*\\/`, 'g')],
  [/\.(py|rb|ex)$/, new RegExp(`("""[^]*?"""|'''[^]*?'''|${strings.source})|#.*`, 'g')],
];

/** Returns the text of a file without the comments of its language, by its ending: a flag that is commented out does not exist. Other texts stay as they are. */
export function withoutComments(name: string, text: string): string {
  const found = comments.find(([ending]) => ending.test(name));
  return found === undefined ? text : text.replace(found[1], (_, kept: string | undefined) => kept ?? '');
}
