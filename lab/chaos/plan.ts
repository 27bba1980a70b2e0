import { LAYOUTS, type Layout, layoutOf, type Machine } from './chaos-machine.ts';
import { DISTURBANCES, type Disturbance } from './disturbances.ts';
import { createRandom } from './random.ts';

/** What is decided about a round before it begins. */
export interface PlannedRound {
  /** The number of its deployment, from 0. */
  readonly deployment: number;
  readonly layout: Layout;
  readonly disturbances: readonly Disturbance[];
}

interface PlanOptions {
  readonly seed: number;
  readonly machine: Machine;
  readonly deploymentRounds: number;
  /** Only disturbances whose name contains this. */
  readonly only: string;
}

const PER_ROUND = 3;

/**
 * Plans rounds 1 to `last`. Each possible disturbance comes once before one comes again, in an order that the seed decides;
 * one that the layout of a round cannot have waits for the next that can.
 */
export function planRounds(
  last: number,
  { seed, machine, deploymentRounds, only }: PlanOptions,
): readonly PlannedRound[] {
  const rounds = Array.from({ length: last }, (_, index) => Math.floor(index / deploymentRounds));
  const possible = DISTURBANCES.filter(
    ({ name, isPossible }) => name.includes(only) && LAYOUTS.some((layout) => isPossible(machine, layout)),
  );
  const waiting: Disturbance[] = [];
  let cycles = 0;
  return rounds.map((deployment) => {
    const layout = layoutOf(deployment);
    const disturbances: Disturbance[] = [];
    const most = Math.min(PER_ROUND, possible.filter(({ isPossible }) => isPossible(machine, layout)).length);
    while (disturbances.length < most) {
      const next = waiting.find((one) => one.isPossible(machine, layout) && !disturbances.includes(one));
      if (next) {
        waiting.splice(waiting.indexOf(next), 1);
        disturbances.push(next);
      } else waiting.push(...createRandom(seed, -1 - cycles++).shuffled(possible));
    }
    return { deployment, layout, disturbances };
  });
}
