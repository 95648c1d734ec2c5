import { suggestAt } from './completion.js';
import { played } from './engine.js';
import type { EngineQuestion, EngineReply } from './model.js';

/** Returns the reply to a message of the page, when the data of the version are loaded. Does not throw. */
export async function replyTo(question: EngineQuestion, loadData: (version: string) => Promise<void>): Promise<EngineReply> {
  const { number } = question;
  try {
    await loadData(question.input.version);
    if (question.asks === 'completion') return { number, suggestions: await suggestAt(question) };
    return { number, result: await played(question.input) };
  } catch (error) {
    return { number, error: error instanceof Error ? error.message : String(error) };
  }
}
