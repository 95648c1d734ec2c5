import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { createSecureContext, rootCertificates } from 'node:tls';
import { parsePlain } from '../../encoding/plain-json.js';
import { onceValue } from '../../go/once.js';
import { statusText } from '../../go/status-text.js';
import { answerText } from '../etcd/answer-text.js';

/** Response of an issuer. */
export interface HttpAnswer {
  readonly code: number;
  /** `404 Not Found`. */
  readonly status: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Reads what is at a URL. Rejects when it cannot be reached. */
export type HttpGet = (url: string, bearer?: string) => Promise<HttpAnswer>;

const timeoutMs = 30_000;
/** A limit of this program. */
const maxBytes = 1024 * 1024;

/** The authorities of the system. The default of Node is empty in the folder of executables. */
const systemAuthorities = onceValue(() => {
  const ca = [...rootCertificates];
  // Without the context, each connection would parse all of them, which takes more time than the rest of a request. With `ca`, Node's agent
  // keeps these connections apart from those of issuers with an authority of their own.
  return { ca, secureContext: createSecureContext({ ca }) };
});

/** Returns the client of an issuer; `authority` is PEM, empty for those of the system. */
export function httpClient(authority: string): HttpGet {
  return async (url, bearer = '') => {
    try {
      const headers = { 'User-Agent': 'Go-http-client/1.1', ...(bearer === '' ? {} : { Authorization: `Bearer ${bearer}` }) };
      const trusted = authority === '' ? systemAuthorities() : { ca: authority };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { ...trusted, headers, signal: AbortSignal.timeout(timeoutMs) }, resolve).on('error', reject);
      });
      const { statusCode: code = 0 } = response;
      return { code, status: `${code} ${statusText(code)}`, headers: response.headers, text: await answerText(response, maxBytes) };
    } catch (error) {
      throw new Error(`Get "${url}": ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** Returns the JSON of a response. Throws Error. Source: go-oidc oidc.go unmarshalResp. */
export function jsonOf({ text, headers }: HttpAnswer): object {
  try {
    const value = parsePlain(text);
    if (typeof value === 'object' && value !== null) return value;
    throw new TypeError('expected a JSON object');
  } catch (error) {
    const type = headers['content-type'] ?? '';
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      /^application\/json\s*(?:;|$)/i.test(type)
        ? `got Content-Type = application/json, but could not unmarshal as JSON: ${reason}`
        : `expected Content-Type = application/json, got ${JSON.stringify(type)}: ${reason}`,
    );
  }
}

/** Returns a member that is a text; empty for others. */
export function memberText(object: object, name: string): string {
  const value = Object.entries(object).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}
