import { randomUUID } from 'node:crypto';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { recordedCase } from '../../../src/conformance/recorded-case.js';
import { isMap, toValue } from '../../../src/go/value.js';
import { createTransport } from '../../../src/transport/call-webhook.js';
import { startScriptedEndpoint } from '../../../src/webhook-server/script/scripted-endpoint.js';
import { profileNamed } from '../../support/certificate-profiles.js';
import { apiServers } from '../../support/server.js';
import { type ProducedReview, type RecordedReview, reviewsDifference } from '../compare/reviews.js';
import type { Difference } from '../figures.js';
import { readFolder } from '../files.js';
import { differenceOf, placed, type Recorded, scriptOf } from './decisions.js';

/** Plays the webhooks of a case and sends its call through the project: compares answer, audit annotations, report and reviews. */
export function differenceIn(): Difference {
  const crds = readFolder('policies').find(({ name }) => name === 'crds')?.document;
  const table = toValue(crds ?? {});
  const definitions = isMap(table) ? table : undefined;
  return async testCase => {
    const recorded = testCase as Recorded;
    const profile = profileNamed('valid');
    const hasWebhooks = recorded.routes !== undefined;
    const endpoint = hasWebhooks ? await startScriptedEndpoint(scriptOf(recorded), profile) : undefined;
    const transport = createTransport();
    const sent: ProducedReview[] = [];
    try {
      const { answer: _answer, answers: _answers, reviews: _reviews, ...inputs } = recorded;
      // Not a valid port, so nothing matches it.
      const port = endpoint?.port ?? 100_000;
      const cluster = placed(recorded.cluster, port, Buffer.from(profile.bundle).toString('base64'));
      const { call, state } = recordedCase(
        toValue({ ...inputs, cluster }),
        { document: new Map(), servers: apiServers, definitions },
        randomUUID,
      );
      const effects = effectsFor(webhookCall => {
        const { phase, webhook, body } = webhookCall;
        sent.push({ phase, webhook, body });
        return transport.callWebhook(webhookCall);
      });
      const report = await handleCall(call, state, effects);
      // If several answers are valid, so are their reviews.
      const compares = hasWebhooks && recorded.answers === undefined && testCase['reviewsVary'] !== true;
      const reviews = testCase['reviews'] as readonly RecordedReview[];
      return differenceOf(recorded, report, port) ?? (compares ? reviewsDifference({ reviews }, sent) : undefined);
    } finally {
      await transport.close();
      await endpoint?.close();
    }
  };
}
