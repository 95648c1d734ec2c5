import { readUnstructured } from '../../src/encoding/unstructured.js';
import { compileTemplate } from '../../src/go-template/template.js';
import { goValueOf } from '../../src/webhook-server/injector/go-data.js';

/** Returns the output of a template for JSON data, or the error of Go's template engine. */
export function templateAnswer(
  template: string,
  data: string,
  functions?: Parameters<typeof compileTemplate>[2],
): { readonly output: string } | { readonly error: string } {
  try {
    return { output: compileTemplate('inject', template, functions).execute(goValueOf(readUnstructured(data))) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TemplateError') throw error;
    return { error: error.message };
  }
}
