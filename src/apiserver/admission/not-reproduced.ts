/** What the API server does at this point is not reproduced here. Said instead of guessed; the message is one sentence. */
export class NotReproduced extends Error {
  override readonly name = 'NotReproduced';
}
