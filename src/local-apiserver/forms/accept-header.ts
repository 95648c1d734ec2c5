/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses of an Accept header, best first: by `q`, then the more specific. Source: munnerz/goautoneg. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses = header.split(',').flatMap((text, index) => {
    const [range = '', ...parameters] = text.split(';').map(part => part.trim());
    const slash = range.indexOf('/');
    const [type, subType] = range === '*' ? ['*', '*'] : [range.slice(0, slash), range.slice(slash + 1)];
    if (range !== '*' && (slash <= 0 || subType === '')) return [];
    const pairs = parameters.map(parameter => {
      const equals = parameter.indexOf('=');
      return equals < 0 ? ([parameter, ''] as const) : ([parameter.slice(0, equals).trim(), parameter.slice(equals + 1).trim()] as const);
    });
    const q = pairs.find(([name]) => name === 'q')?.[1];
    const quality = q === undefined ? 1 : Number(q) || 0;
    return [{ type, subType, parameters: new Map(pairs.filter(([name]) => name !== 'q')), quality, index }];
  });
  return clauses.sort((a, b) => b.quality - a.quality || specificity(b) - specificity(a) || a.index - b.index);
}

function specificity({ type, subType }: { readonly type: string; readonly subType: string }): number {
  return (type === '*' ? 0 : 2) + (subType === '*' ? 0 : 1);
}
