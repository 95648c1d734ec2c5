/** Returns the JSON pointer of a field in an error: `webhooks[0].matchConditions[1].name`, `metadata.labels[a.b/c]`. */
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

/**
 * Translates a pointer into the internal version of a definition, which errors use, to v1: the internal version has fields shared by all versions
 * once, and the webhook's fields in the conversion itself. Source: apiextensions v1/conversion.go.
 */
export function pointerInDefinition(pointer: string): string {
  return pointer
    .replace(/^\/spec\/validation(?=\/|$)/, '/spec/versions/0/schema')
    .replace(/^\/spec\/(?=(?:subresources|additionalPrinterColumns|selectableFields)(?:\/|$))/, '/spec/versions/0/')
    .replace(/^\/spec\/conversion\/webhookClientConfig(?=\/|$)/, '/spec/conversion/webhook/clientConfig')
    .replace(/^\/spec\/conversion\/(?=conversionReviewVersions(?:\/|$))/, '/spec/conversion/webhook/');
}

/** Returns the pointer of the field in a message; empty when there is none. */
export function pointerOfQuoted(message: string): string {
  const [, quoted, first] = /(?:unknown|duplicate) field "([^"]+)"|^([a-z]\w*(?:\[[^\]]*\]|\.\w+)+):/i.exec(message) ?? [];
  return pointerOfField(quoted ?? first ?? '');
}
