import { CliError } from '../../../client/cli-error.js';
import type { RegistrationFlags } from '../../../client/options/webhook-options.js';
import type { VersionFlags } from '../../options/server-version.js';
import { apiServers } from '../api-servers/api-servers.js';
import { findCausesOfRefusal } from '../refusals/refusals.js';
import { configurationOf, phasesOf, unsentUrl, urlWebhookName } from './registration.js';

/** Throws CliError when the API server would refuse the entry that `--match-condition` or `--review-versions` describe. */
export async function checkRegistrationFlags(flags: RegistrationFlags & VersionFlags): Promise<void> {
  if (flags.matchCondition === undefined && flags.reviewVersions === undefined) return;
  const [phase = 'mutating'] = phasesOf(flags);
  const found = await findCausesOfRefusal(
    apiServers({ minor: flags.kubernetesVersion }),
    configurationOf({ phase, webhook: urlWebhookName, url: unsentUrl, caBundle: undefined }, flags),
  );
  for (const { finding } of found) {
    if (finding.severity !== 'error') continue;
    const [field = '', ...rest] = finding.message.replace(/Invalid value: (?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]): /, '').split(': ');
    const index = /matchConditions\[(\d+)\]/.exec(field)?.[1];
    const value = index === undefined ? flags.reviewVersions : flags.matchCondition?.[Number(index)];
    const flag = index === undefined ? 'review-versions' : 'match-condition';
    throw new CliError('usage', `invalid --${flag} ${JSON.stringify(value ?? '')}: ${rest.join(': ').trim() || finding.message}`);
  }
}
