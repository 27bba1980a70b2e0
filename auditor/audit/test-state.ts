import { onTestFinished } from 'vitest';
import { createReplayedState, type ReplayedState } from './replayed-state.ts';
import { openStateFile, temporaryStateFolder } from './state-file.ts';

/** An empty state in a file that ends with the test. */
export function testState(): ReplayedState {
  const file = openStateFile(temporaryStateFolder());
  onTestFinished(file.close);
  return createReplayedState(file);
}
