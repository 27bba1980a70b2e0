import type { Flow } from '../../_wizard/step-order.ts';

export interface Replacing {
  /** Whether the person has a copy of the new key. */
  readonly hasCopy: boolean;
  /** Whether the new key is sealed under the passkey or the passphrase of this browser. */
  readonly isSealed: boolean;
  /** `keep`: the identity already has the new key, but this browser has not stored it. */
  readonly outcome: 'keep' | 'done' | null;
}

export const REPLACE: Flow<Replacing, 'what' | 'key' | 'here' | 'sign', 'keep' | 'done'> = {
  steps: [
    { name: 'what' },
    { name: 'key', isDone: ({ hasCopy }) => hasCopy },
    { name: 'here', isDone: ({ isSealed }) => isSealed },
    { name: 'sign', back: 'what' },
  ],
  only: ({ outcome }) => outcome,
};
