/** Messages of a thread that may be without an answer: the main thread reads them between its own calls, up to 20 ms later. */
const mostUnanswered = 4;

/** Sends messages to the main thread without waiting for each answer; a thread that is faster than the main thread waits. */
export function sendAhead<Message>(send: (message: Message) => Promise<void>): {
  readonly send: (message: Message) => Promise<void>;
  /** Waits for all answers. */
  readonly end: () => Promise<void>;
} {
  const unanswered: Promise<void>[] = [];
  return {
    send: async message => {
      if (unanswered.length === mostUnanswered) await unanswered.shift();
      const answer = send(message);
      // It is awaited later.
      answer.catch(() => {});
      unanswered.push(answer);
    },
    end: async () => {
      await Promise.all(unanswered);
    },
  };
}
