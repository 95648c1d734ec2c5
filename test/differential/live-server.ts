import https from 'node:https';

/** An answer of the API server. */
export interface LiveAnswer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: string;
}

const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 4 });

export const userAgent = 'kubectl/v1.36.3 (linux/amd64) kubernetes/0000000';

/** Makes a call to the API server that the environment's ORACLE_URL names, with the token `admin-token`. Status 0: no answer. */
export function callLive(method: string, path: string, body?: string, contentType = 'application/json'): Promise<LiveAnswer> {
  const origin = process.env['ORACLE_URL'];
  if (origin === undefined) throw new Error('ORACLE_URL names the API server to ask');
  const headers: Record<string, string> = { authorization: 'Bearer admin-token', 'user-agent': userAgent, accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = contentType;
  return new Promise(resolve => {
    const request = https.request(`${origin}${path}`, { method, headers, agent }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk as Buffer));
      response.on('end', () => {
        const warnings = response.rawHeaders.flatMap((name, i, all) =>
          i % 2 === 0 && name.toLowerCase() === 'warning' ? [warningText(all[i + 1] ?? '')] : [],
        );
        resolve({ status: response.statusCode ?? 0, warnings, body: Buffer.concat(chunks).toString('utf8') });
      });
      response.on('error', () => resolve({ status: 0, warnings: [], body: '' }));
    });
    request.on('error', () => resolve({ status: 0, warnings: [], body: '' }));
    request.end(body);
  });
}

function warningText(header: string): string {
  const text = /^299 - "(.*)"$/s.exec(Buffer.from(header, 'latin1').toString('utf8'))?.[1] ?? header;
  return text.replace(/\\(.)/gs, '$1');
}
