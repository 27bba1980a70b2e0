import type { Flow } from '../../_wizard/step-order.ts';
import type { KeptDraft } from './kept-draft.ts';

export interface Creating {
  /** Null until this browser's storage is read. */
  readonly draft: KeptDraft | null;
  /** Whether the key is sealed under the passkey or the passphrase of this browser. */
  readonly isSealed: boolean;
  /** After the identity is created: `keep` where this browser does not keep its key yet, `copy` while the person may copy it. */
  readonly outcome: 'keep' | 'copy' | 'done' | null;
}

type Numbered = 'name' | 'public' | 'here' | 'send' | 'copy';
/** `past`: the last screen was opened again after everything was done. */
type Other = 'loading' | 'past' | 'keep' | 'done';

const hasName = ({ draft }: Creating): boolean => draft !== null && draft.domain !== null;

export type CreateScreen = Numbered | Other;

export const CREATE: Flow<Creating, Numbered, Other> = {
  steps: [
    { name: 'name', isDone: hasName },
    { name: 'public' },
    { name: 'here', isDone: ({ isSealed }) => isSealed },
    { name: 'send', back: 'name', isDone: ({ outcome }) => outcome !== null },
    { name: 'copy', back: null },
  ],
  only: (state, requested) => {
    const { draft, outcome } = state;
    if (outcome !== null) return outcome;
    // The server renders the first screen, so that it can be read and filled in before the scripts run.
    if (draft === null) return requested === null || requested === 'name' ? 'name' : 'loading';
    return (requested === 'done' || requested === 'copy') && !hasName(state) ? 'past' : null;
  },
};
