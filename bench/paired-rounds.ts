import type { Figure, Target } from './figures.ts';
import type { Measured, Session } from './session.ts';

/** The rounds of one load, each on the bare loop and on the server right after it. */
export interface PairedRounds {
  readonly served: readonly Measured[];
  readonly bare: readonly Measured[];
}

export async function inPairedRounds(
  session: Session,
  title: string,
  load: { readonly bare: () => Promise<Measured>; readonly served: () => Promise<Measured> },
): Promise<PairedRounds> {
  const served: Measured[] = [];
  const bare: Measured[] = [];
  for (let round = 1; round <= session.settings.rounds; round++) {
    const [loop, server] = [await load.bare(), await load.served()];
    bare.push(loop);
    served.push(server);
    session.say(
      `${title}, round ${round}: ${Math.round(server.perSecond)}/s, bare loop ${Math.round(loop.perSecond)}/s`,
    );
  }
  return { served, bare };
}

/** One figure of both sides. */
export function pairedFigure(
  { served, bare }: PairedRounds,
  name: string,
  unit: string,
  value: (measured: Measured) => number,
  targets: readonly Target[] = [],
): Figure {
  return { name, unit, rounds: served.map(value), bare: bare.map(value), targets };
}

/** Processor time tells the cost of a request even where other processes slow the machine down; nothing where it is unknown. */
export function processorFigures(rounds: PairedRounds, name: string): Figure[] {
  const known = [...rounds.served, ...rounds.bare].every(({ processorMs }) => processorMs !== null);
  return known ? [pairedFigure(rounds, `${name}: processor time`, 'ms', ({ processorMs }) => processorMs ?? 0)] : [];
}
