import { entriesIn, type FileEntries } from '../../client/manifests/manifests.js';

/** The pod of `--demo` without manifests: the embedded webhook changes it, and refuses it for two reasons. */
const demoPod = `apiVersion: v1
kind: Pod
metadata:
  name: debug
spec:
  automountServiceAccountToken: false
  containers:
  - name: shell
    image: busybox
    securityContext:
      privileged: true
`;

/** Returns the entries of the built-in manifest. */
export function demoEntries(): FileEntries {
  return entriesIn({ source: 'pod.yaml', bytes: Buffer.from(demoPod) });
}
