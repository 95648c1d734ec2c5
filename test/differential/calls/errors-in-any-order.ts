interface Refusal {
  readonly message: string;
  readonly details: { readonly causes?: readonly { readonly field: string }[] };
}

/**
 * Reports whether two answers to the same definition differ only in the order of errors in properties of schemas: the server walks
 * properties in random order. Too many orders are possible to wait for the expected one.
 */
export function haveSameErrors(text: string, other: string): boolean {
  return text === other || errorsInOrder(text) === errorsInOrder(other);
}

/** Returns the answer, and the refusal in its second line with sorted errors. */
function errorsInOrder(text: string): string {
  const [status, body = '', ...reviews] = text.split('\n');
  if (status?.startsWith('422 ') !== true || !body.includes('"kind":"CustomResourceDefinition"')) return text;
  const refusal: Refusal = JSON.parse(body);
  const { causes = [] } = refusal.details;
  const isProperty = (field: string): boolean => field.includes('.properties[');
  return JSON.stringify({
    ...{ status, reviews },
    ...refusal,
    message: refusal.message
      .replace(/^(.* is invalid: )\[(.*)\]$/s, '$1$2')
      .split(', ')
      .sort(),
    details: {
      ...refusal.details,
      causes: [
        ...causes.filter(({ field }) => !isProperty(field)),
        ...causes
          .filter(({ field }) => isProperty(field))
          .map(cause => JSON.stringify(cause))
          .sort(),
      ],
    },
  });
}
