/** Address of a repository on GitHub; the placeholder of a program that is not published is none. */
const repository = /^https:\/\/github\.com\/(?!OWNER\/)[\w.-]+\/[\w.-]+/;

/** Returns the address of the page about a rule of lint, of this version of the program; undefined if its homepage is not known. */
export function rulePage(
  rule: string,
  { homepage, version }: { readonly homepage: string | undefined; readonly version: string },
): string | undefined {
  const address = repository.exec(homepage ?? '')?.[0];
  return address === undefined ? undefined : `${address}/blob/v${version}/docs/lint.md#:~:text=${encodeURIComponent(rule)}`;
}
