import type { OtherForms } from '../apiserver/report/other-forms.js';
import type { Answer } from '../apiserver/report/report.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import { answerDocument } from './document-reply.js';
import { bytesOfBody } from './http/exchange.js';
import { printedTableOf } from './tables/table.js';

/** Response forms of this server that single calls also support. */
export const otherForms: OtherForms = { tableOf: printedTableOf, documentOf: answerDocumentPath };

async function answerDocumentPath(call: ApiCall, state: ClusterState): Promise<Answer | undefined> {
  const named = { 'User-Agent': call.userAgent, 'Content-Type': call.contentType };
  const headers = Object.entries({ ...call.headers, ...named }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const reply = await answerDocument(
    {
      method: call.method,
      url: call.path,
      headers: headers.map(([name, value]) => [name.toLowerCase(), value]),
      peer: undefined,
      body: () => Promise.resolve(new Uint8Array()),
    },
    state,
  );
  if (reply === undefined) return undefined;
  const { 'Content-Type': contentType, ...others } = Object.fromEntries(reply.headers);
  const bytes = typeof reply.body === 'string' ? undefined : bytesOfBody(reply.body);
  const body = typeof reply.body === 'string' ? { body: reply.body } : { body: String(bytes), bytes };
  return { status: reply.status, warnings: [], headers: others, ...(contentType === undefined ? {} : { contentType }), ...body };
}
