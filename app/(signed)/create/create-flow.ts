import type { Flow } from '../../_wizard/step-order.ts';
import { hasCopy, type KeptDraft } from './kept-draft.ts';

export interface Creating {
  /** Null until this browser's storage is read. */
  readonly draft: KeptDraft | null;
  /** Whether the key is sealed under the passphrase of this browser. */
  readonly isSealed: boolean;
  /** After the identity is created: `keep` where this browser does not keep its key yet. */
  readonly outcome: 'keep' | 'passkey' | 'done' | null;
}

type Numbered = 'name' | 'public' | 'key' | 'here' | 'send';
/** `past`: the last screen was opened again after everything was done. */
type Other = 'loading' | 'past' | 'keep' | 'passkey' | 'done';

const hasName = ({ draft }: Creating): boolean => draft !== null && draft.domain !== null;

export type CreateScreen = Numbered | Other;

export const CREATE: Flow<Creating, Numbered, Other> = {
  steps: [
    { name: 'name', isDone: hasName },
    { name: 'public' },
    { name: 'key', isDone: ({ draft }) => draft !== null && hasCopy(draft) },
    { name: 'here', isDone: ({ isSealed }) => isSealed },
    { name: 'send', back: 'name' },
  ],
  only: (state, requested) => {
    const { draft, outcome } = state;
    if (outcome !== null) return outcome;
    // The server renders the first screen, so that it can be read and filled in before the scripts run.
    if (draft === null) return requested === null || requested === 'name' ? 'name' : 'loading';
    return requested === 'done' && !hasName(state) ? 'past' : null;
  },
};
