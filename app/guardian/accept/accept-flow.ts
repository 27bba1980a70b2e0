import type { Flow } from '../../_wizard/step-order.ts';

interface Accepting {
  /** Whether there is a key of which the person has a copy. */
  readonly hasKey: boolean;
  readonly accepted: boolean;
}

export const ACCEPT: Flow<Accepting, 'who' | 'what' | 'day' | 'key' | 'accept', 'ask' | 'no' | 'done'> = {
  steps: [
    { name: 'who' },
    { name: 'what' },
    { name: 'day' },
    { name: 'key', isDone: ({ hasKey }) => hasKey },
    { name: 'accept' },
  ],
  beside: { ask: 'who', no: 'who' },
  only: ({ accepted }) => (accepted ? 'done' : null),
};
