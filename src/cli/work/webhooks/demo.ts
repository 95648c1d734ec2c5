import type { ObjectConverter } from '../../../webhook-server/answer-conversion.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { demoWebhookName, type Registration } from './registration.js';

export interface DemoWebhook {
  readonly registrations: readonly Registration[];
  readonly conversion: { readonly url: string; readonly caBundle: Uint8Array };
  close(): Promise<void>;
}

/** Starts the embedded reference webhook on a free loopback port, with its own certificates; with a converter, it converts, too. */
export async function startDemo({ now }: Pick<Surroundings, 'now'>, convert?: ObjectConverter): Promise<DemoWebhook> {
  const [{ issueServingPair }, { startServer, phasePaths, conversionPath }, { demo }] = await Promise.all([
    import('../../../certificates/issue.js'),
    import('../../../webhook-server/server.js'),
    import('../../../webhook-server/handlers/demo.js'),
  ]);
  const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, now());
  const caBundle = Buffer.from(ca);
  // Loading Node's HTTP/2 takes as long as a review.
  const listening = { cert, key, host: '127.0.0.1', port: 0, http2: false };
  const server = await startServer({ handler: demo, ...(convert === undefined ? {} : { convert }), ...listening });
  const phases = ['mutating', 'validating'] as const;
  return {
    registrations: phases.map(phase => ({ phase, webhook: demoWebhookName, url: server.origin + phasePaths[phase], caBundle })),
    conversion: { url: server.origin + conversionPath, caBundle },
    close: server.close,
  };
}
