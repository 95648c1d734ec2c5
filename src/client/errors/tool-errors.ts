import type { KnownError } from './known-error.js';

/** Errors of Helm and Terraform about what they manage. Source: helm pkg/action, terraform provider-kubernetes. */
export const toolErrors: readonly KnownError[] = [
  {
    id: 'helm-ownership',
    fault: null,
    text: /^(?:rendered manifests contain a resource that already exists\. Unable to continue with (?:install|update): )?(?<kind>\S+) "(?<name>[^"]*)" in namespace "(?<namespace>[^"]*)" exists and cannot be imported into the current release: invalid ownership metadata/s,
    why: '{kind} {name} exists, and does not belong to this Helm release',
    try: 'delete it, or give it the label app.kubernetes.io/managed-by: Helm and the annotations meta.helm.sh/release-name and release-namespace (helm install --take-ownership)',
    command: ['kubectl', 'get', '{kind}', '{name}', '--namespace={namespace}', '-o', 'yaml'],
  },
  {
    id: 'helm-locked',
    fault: null,
    text: /^another operation \(install\/upgrade\/rollback\) is in progress/,
    why: 'an earlier operation of this Helm release has not ended, or was interrupted',
    try: 'wait, or roll back to the last revision that was deployed: helm rollback',
    command: ['helm', 'history', 'RELEASE'],
  },
  {
    id: 'helm-no-release',
    fault: null,
    text: /^"?(?<release>[^"\s]+)" has no deployed releases/,
    why: 'no revision of the Helm release {release} has the status deployed: its installation failed, or it was uninstalled with --keep-history',
    try: 'look at its history; then helm rollback to a revision that worked, or uninstall it and install it again',
    command: ['helm', 'history', '{release}'],
  },
  {
    id: 'helm-name-in-use',
    fault: null,
    text: /^cannot re-use a name that is still in use/,
    why: 'a Helm release with this name exists in the namespace, maybe from an installation that failed',
    try: 'helm upgrade --install, or uninstall it first',
    command: ['helm', 'list', '--all', '--all-namespaces'],
  },
  {
    id: 'replaced-by-force',
    fault: null,
    text: /^failed to replace object: (?<kind>PersistentVolume(?:Claim)?) "(?<name>[^"]*)" is invalid: .*?is immutable after creation/s,
    why: 'helm upgrade --force replaces {kind} {name}, and the chart does not set what the cluster has set (volumeName, storageClassName)',
    try: 'upgrade without --force, or write the values of the cluster into the chart; deleting a claim can delete its data',
    command: ['kubectl', 'get', '{kind}', '{name}', '-o', 'yaml'],
  },
  {
    id: 'hook-failed',
    fault: null,
    text: /^(?:\* )?job (?:\S+ )?failed: (?<reason>BackoffLimitExceeded|DeadlineExceeded)/,
    why: 'a job that a hook of the chart runs failed; the text does not tell why (charts with webhooks create their certificates in such jobs)',
    try: 'read the log of the pods of the job, and the events of the job if it has no pods: a webhook may refuse them',
    command: ['kubectl', 'get', 'jobs,events', '--all-namespaces'],
  },
  {
    id: 'changed-after-apply',
    fault: null,
    text: /^Provider produced inconsistent result after apply/,
    why: 'the stored object differs from what Terraform sent: defaults, a controller or a mutating webhook changed it',
    try: 'put the final values into the manifest, or the fields into computed_fields; webhook-cli review -o diff shows what webhooks change',
  },
];
