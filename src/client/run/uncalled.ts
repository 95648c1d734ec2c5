import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { CallFinding, CallReport } from './call-report.js';

/** Returns a report with a finding for each reason why its webhooks had no say: none was called, or a failed one was ignored. */
export function withUncalledFindings(report: CallReport): CallReport {
  const { webhooks, decision } = report.report;
  const ignored = webhooks
    .filter(isIgnored)
    .map(({ webhook }) => finding(webhook, 'failed, and its failurePolicy Ignore lets the call pass'));
  const isAsked = webhooks.some(({ outcome }) => outcome !== 'skipped');
  const uncalled = isAsked || !decision.allowed ? [] : [finding('', 'no webhook was called')];
  return { ...report, findings: [...report.findings, ...ignored, ...uncalled] };
}

function isIgnored({ outcome, failurePolicy }: WebhookReport): boolean {
  return outcome === 'callFailed' && failurePolicy === 'Ignore';
}

function finding(webhook: string, message: string): CallFinding {
  return { check: 'require-called', webhook, message };
}
