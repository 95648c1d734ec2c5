import { readFileSync } from 'node:fs';
import path from 'node:path';
import Init from '../../../commands/init.js';
import { runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Runs init in a new folder with these files. */
export async function initialized(files: Readonly<Record<string, string>>, argv: readonly string[] = []) {
  const made = temporaryFolder(files);
  const { stdout, stderr, exitCode } = await runCommand(Init, argv, { cwd: made.folder });
  const text = (name: string): string => readFileSync(path.join(made.folder, name), 'utf8');
  return { ...made, stdout, stderr, exitCode, text };
}

/** Words that suites replace, in angle brackets. */
export const masked = (text: string): string => text.replace(/\$\{(\w+)\}/g, '<$1>');

/** A configuration of a webhook that a Service serves. */
export const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: shop, name: guard, path: /validate}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`;
