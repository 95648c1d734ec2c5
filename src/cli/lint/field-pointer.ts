/** The JSON pointer of a field as errors write it: `webhooks[0].matchConditions[1].name`, `metadata.labels[a.b/c]`. */
export function pointerOfField(field: string): string {
  const parts = field.match(/[^.[\]]+|\[[^\]]*\]/g) ?? [];
  return parts
    .map(
      part =>
        `/${part
          .replace(/^\[|\]$/g, '')
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')}`,
    )
    .join('');
}

/** The pointer of the field that a message quotes or begins with; empty when there is none. */
export function pointerOfQuoted(message: string): string {
  const [, quoted, first] = /(?:unknown|duplicate) field "([^"]+)"|^([a-z]\w*(?:\[[^\]]*\]|\.\w+)+):/i.exec(message) ?? [];
  return pointerOfField(quoted ?? first ?? '');
}
