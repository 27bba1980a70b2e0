import { onTestFinished } from 'vitest';
import { openStateFile, temporaryStateFolder } from './audit-state-file.ts';
import { createReplayedState, type ReplayedState } from './replayed-state.ts';

/** An empty state in a file that ends with the test. */
export function testState(): ReplayedState {
  const file = openStateFile(temporaryStateFolder());
  onTestFinished(file.close);
  return createReplayedState(file);
}
