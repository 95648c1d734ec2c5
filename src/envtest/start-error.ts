/** A message with which kube-apiserver ends at its start. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
