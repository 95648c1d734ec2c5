import type { CallReport } from '../client/run/call-report.js';
import { printable } from '../writers/printable.js';

/** Returns a sentence for each webhook of a call whose answers say that they are plain text, which the API server ignores. */
export function contentTypeRemarks(exchanges: CallReport['exchanges']): string[] {
  return exchanges.flatMap(({ call, answer }) => {
    if (answer.outcome !== 'answered') return [];
    const type = answer.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    if (!/^text\//i.test(type) || isOfControllerRuntime(type, answer.body)) return [];
    return [printable(`${call.webhook} answers with Content-Type: ${type}; set application/json`)];
  });
}

/**
 * Returns true for answers as controller-runtime writes them: it sets no type, Go guesses one, and the author of the webhook has nothing to
 * change. Each has a status with a code. Source: controller-runtime pkg/webhook/admission/http.go, response.go.
 */
function isOfControllerRuntime(type: string, body: Uint8Array): boolean {
  if (type !== 'text/plain; charset=utf-8') return false;
  const text = Buffer.from(body).toString('utf8');
  return (
    text.startsWith('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/') && /"status":\{"metadata":\{\}.*"code":\d/s.test(text)
  );
}
