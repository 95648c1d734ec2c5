/** Thrown where the API server's behavior is not reproduced here, rather than guessing it; the message is one sentence. */
export class NotReproduced extends Error {
  override readonly name = 'NotReproduced';
}
