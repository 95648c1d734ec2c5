/** HTTP response of a webhook. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case, in the order received. */
  readonly headers: readonly (readonly [string, string])[];
  /** Whole body, decompressed. */
  readonly body: Uint8Array;
}

/** Returns the first value of a header by its lower-case name; empty without one. */
export function headerOf({ headers }: Pick<HttpResponse, 'headers'>, name: string): string {
  return headers.find(([n]) => n === name)?.[1] ?? '';
}
