/**
 * Thrown by an authorizer that has to ask somebody else, such as a webhook: authorizers are asked within expressions, which cannot wait. `whenAnswered` waits, and
 * asks again.
 */
export class PendingAnswer extends Error {
  override readonly name = 'PendingAnswer';

  constructor(
    /** Resolves when the authorizer knows the answer; never rejects. */
    readonly answered: Promise<void>,
    /** Lets the authorizer forget the answer, which it keeps until then. */
    readonly release: () => void,
  ) {
    super('the authorizer has not answered yet');
  }
}

/** Runs a step that asks authorizers and changes nothing before it has their answers, and repeats it until all are there. */
export async function whenAnswered<T>(step: () => T | Promise<T>): Promise<T> {
  const answers: PendingAnswer[] = [];
  try {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof PendingAnswer)) throw error;
        answers.push(error);
        await error.answered;
      }
    }
  } finally {
    for (const { release } of answers) release();
  }
}
