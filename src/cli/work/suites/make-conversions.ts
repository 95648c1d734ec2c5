import type { ConversionOptions } from '../../../client/options/conversion-options.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { recordExchanges } from '../../../client/run/recorded-exchanges.js';
import type { ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { memoize } from '../../../kubernetes/memoize.js';
import { kindOf } from '../../../kubernetes/storage.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import { findingText } from '../../../suites/expectations/conversion-expectations.js';
import type { CaseConversion, CaseOutput } from '../../../suites/results.js';
import type { SuiteCase } from '../../../suites/suite.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readDefinitionsInto } from '../cluster/with-definitions.js';
import { checkOtherWebhook, openConversionWebhook, withTimeout } from '../conversions/conversion-webhook.js';
import { convertManifests } from '../conversions/convert-manifests.js';
import { acceptDefinition } from '../conversions/definitions.js';
import { rememberDefinitions } from '../input/definition-places.js';
import { readManifestFiles } from '../input/read-manifests.js';
import { connectionNotes } from '../webhooks/cluster-webhooks.js';
import { failedCallFault } from './failed-calls.js';

/** The conversion webhook of a suite. */
export interface OpenConversions {
  /** Converts the objects of a case. Throws CliError. */
  readonly make: (options: ConversionOptions, state: ClusterState) => Promise<CaseConversion>;
  /** Throws CaseFault when the webhook was unreachable or its answer invalid, unless the case expects that. */
  readonly refuseFailed: (suiteCase: SuiteCase, output: CaseOutput) => void;
  readonly close: () => Promise<void>;
}

/** Opens the webhook of a suite's flags, or the definitions' own. Each definition is checked once for all cases. Throws CliError. */
export async function openConversions(
  flags: WebhookFlagOptions & { readonly now?: Date | undefined },
  callWebhook: CallWebhook,
  surroundings: Surroundings,
): Promise<OpenConversions> {
  checkOtherWebhook(flags);
  const { webhook, close } = await openConversionWebhook(flags, surroundings);
  const usedBy = memoize((server: ApiServer) =>
    memoize((own: ValueMap) => acceptDefinition(own, { server, webhook, flags, cwd: surroundings.cwd })),
  );
  return {
    make: async (question, state) => {
      const selection = { flag: 'filename', paths: question.filename ?? [], recursive: question.recursive ?? false, areFound: true };
      const { manifests } = await readManifestFiles(selection, surroundings);
      rememberDefinitions(manifests);
      const recording = recordExchanges(
        withTimeout(callWebhook, flags.timeoutSeconds === undefined ? undefined : flags.timeoutSeconds * 1000),
      );
      const run = await convertManifests(manifests, {
        ...{
          question,
          state: await readDefinitionsInto(
            state,
            manifests.map(({ object }) => kindOf(object)),
          ),
          usedDefinition: usedBy(state.server),
          surroundings,
        },
        callWebhook: recording.callWebhook,
        services: flags.service ?? [],
      });
      return { ...run, notes: connectionNotes(flags), exchanges: recording.exchanges() };
    },
    refuseFailed: refuseFailedConversions,
    close,
  };
}

function refuseFailedConversions({ conversion: expected = {} }: SuiteCase, output: CaseOutput): void {
  if (output.conversion === undefined || expected.failure !== undefined) return;
  const { conversions, findings = [] } = output.conversion;
  for (const made of conversions) {
    if (made.outcome !== 'failed' || made.failure?.class === undefined) continue;
    const { why, try: advice } = made.failure;
    throw failedCallFault(made.failure.class, [made.message, why, `try: ${advice}`].join('\n'), output);
  }
  for (const finding of findings) {
    const { failureClass } = finding;
    if (failureClass !== undefined) throw failedCallFault(failureClass, findingText(finding), output);
  }
}
