import { readTabDraft, writeTabDraft } from '../_keys/tab-draft.ts';

const NAME = 'asked-consent';

/** The text of the request for a consent that this tab is about: creating an identity or signing in leads back to it. */
export const keptRequest = (): string | null => readTabDraft<{ text: string }>(NAME)?.text ?? null;

/** Null forgets it. */
export const keepRequest = (text: string | null): void => writeTabDraft(NAME, text === null ? null : { text });
