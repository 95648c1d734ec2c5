import { callOfReview, replayReview } from '../../../apiserver/replay-review.js';
import type { AnswerPath } from '../../../client/field-path.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { CallWebhook, WebhookAnswer } from '../../../kubernetes/webhook-call.js';
import type { SeenExchange } from '../../../proxy/exchange.js';
import type { HttpMessage } from '../../../proxy/http-messages.js';
import { recordingOf } from '../../../proxy/recording-of.js';
import type { Recording } from '../../../suites/recording.js';
import { redactRecording } from '../../../suites/recordings/redact-recording.js';
import { monotonicMs } from '../../../transport/clock.js';
import { printable } from '../../../writers/printable.js';
import { effectsFor } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { capturedReviewOf } from '../../work/calls/captured-review.js';
import { readState } from '../../work/input/state.js';
import { type LiveCalls, openLiveCalls } from '../../work/live-page/live-calls.js';
import { withUrl } from '../../work/webhooks/cluster-webhooks.js';

/** A page of the reviews that pass the proxy. */
export interface ShownReviews {
  /** Adds a review, with the webhook's answer evaluated as the API server does; a note on stderr says why one cannot be shown. */
  readonly take: (exchange: SeenExchange) => void;
  readonly close: LiveCalls['close'];
}

const noReviews = 'No reviews yet. Send one to the address that this command printed: webhook-cli review -f MANIFEST --url ADDRESS';

interface Shown {
  /** The webhook. */
  readonly origin: string;
  /** Fields of the objects that the page does not show. */
  readonly redact: readonly AnswerPath[];
  readonly toolVersion: string;
}

/** Opens the page of reviews of the webhook at `origin`, which count as those of a mutating one. */
export async function openShownReviews({ origin, redact, toolVersion }: Shown, surroundings: Surroundings): Promise<ShownReviews> {
  const empty = await readState(
    { state: undefined, filename: undefined, recursive: undefined, kubernetesVersion: undefined },
    surroundings,
  );
  const state = withUrl(empty, `${origin}/`, { flags: { allowHttp: true }, cwd: surroundings.cwd });
  const live = await openLiveCalls({ command: 'proxy', toolVersion, whenEmpty: noReviews }, surroundings);
  return {
    take: exchange => {
      show(exchange, { state, redact, live }).catch((error: unknown) => {
        surroundings.stderr.write(
          `note: a review is not on the page: ${printable(error instanceof Error ? error.message : String(error))}\n`,
        );
      });
    },
    close: live.close,
  };
}

interface Showing {
  readonly state: ClusterState;
  readonly redact: readonly AnswerPath[];
  readonly live: LiveCalls;
}

async function show(exchange: SeenExchange, { state, redact, live }: Showing): Promise<void> {
  const whole = recordingOf({ ...exchange, answer: exchange.answer ?? nothing });
  if (whole === undefined) return;
  const recording = redactRecording(whole, redact);
  const captured = capturedReviewOf(recording, { keepsUid: true });
  // The answer is there already: the clock goes on by the time that it took.
  let passedMs = 0;
  const callWebhook: CallWebhook = async (_, onStage) => {
    onStage?.('wait');
    passedMs += exchange.durationMs;
    return exchange.answer === undefined ? notAnswered(exchange) : answerOf(recording);
  };
  const { effects, answered } = live.observe(callWebhook, effectsFor, () => monotonicMs() + passedMs);
  answered(await replayReview(captured, state, effects), callOfReview(state.server, captured), state);
}

const nothing: HttpMessage = { start: '', headers: [], body: Buffer.alloc(0) };

function notAnswered({ durationMs, faults }: SeenExchange): WebhookAnswer {
  return { outcome: 'failed', class: 'tcp', message: ['the webhook did not answer', ...faults].join(', '), durationMs };
}

function answerOf({ answer: { status, headers, body }, durationMs }: Recording): WebhookAnswer {
  const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return { outcome: 'answered', statusCode: status, headers: named, body: Buffer.from(body), durationMs };
}
