import type { Figure } from './figures.ts';
import type { Session } from './session.ts';

/**
 * One thing that is measured. The scenarios of a bench share one server and run in the order of the list in scenarios.ts; each
 * says itself what it needs to find there.
 */
export interface Scenario {
  readonly name: string;
  run(session: Session): Promise<readonly Figure[]>;
}
