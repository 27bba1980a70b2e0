import type { Figure, Target } from './figures.ts';
import type { Measured, Session } from './session.ts';

/** The rounds of one load, each on the bare loop and on the server right after it. */
export interface PairedRounds {
  readonly served: readonly Measured[];
  readonly bare: readonly Measured[];
}

export interface PairedLoad {
  readonly bare: () => Promise<Measured>;
  readonly served: () => Promise<Measured>;
}

export async function inPairedRounds(session: Session, title: string, load: PairedLoad): Promise<PairedRounds> {
  const rounds = noRounds();
  for (let round = 1; round <= session.settings.rounds; round++) await pairedRound(session, title, load, rounds);
  return rounds;
}

/** Two loads that are compared with each other take turns, since a machine is not as quick later on as it was before. */
export async function inTurns(
  session: Session,
  [one, two]: readonly [PairedLoad & { title: string }, PairedLoad & { title: string }],
): Promise<readonly [PairedRounds, PairedRounds]> {
  const rounds = [noRounds(), noRounds()] as const;
  for (let round = 1; round <= session.settings.rounds; round++) {
    await pairedRound(session, one.title, one, rounds[0]);
    await pairedRound(session, two.title, two, rounds[1]);
  }
  return rounds;
}

interface GrowingRounds {
  readonly served: Measured[];
  readonly bare: Measured[];
}

const noRounds = (): GrowingRounds => ({ served: [], bare: [] });

async function pairedRound(
  session: Session,
  title: string,
  load: PairedLoad,
  { served, bare }: GrowingRounds,
): Promise<void> {
  const [loop, server] = [await load.bare(), await load.served()];
  bare.push(loop);
  served.push(server);
  const [ofServer, ofLoop] = [server, loop].map(({ perSecond }) => Math.round(perSecond));
  session.say(`${title}, round ${served.length}: ${ofServer}/s, bare loop ${ofLoop}/s`);
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

/** How many times the time of few a request takes with many; the bare loops', where the machine did not change, stay near 1. */
export function slowdownFigure(name: string, few: PairedRounds, many: PairedRounds): Figure {
  const slowdown = (of: readonly Measured[], to: readonly Measured[]) =>
    to.map(({ perSecond }, round) => (of[round]?.perSecond ?? Number.NaN) / perSecond);
  return {
    name,
    unit: '×',
    rounds: slowdown(few.served, many.served),
    bare: slowdown(few.bare, many.bare),
    targets: [{ of: 'value', atMost: 1.2 }],
  };
}

/** Processor time tells the cost of a request even where other processes slow the machine down; nothing where it is unknown. */
export function processorFigures(rounds: PairedRounds, name: string): Figure[] {
  const known = [...rounds.served, ...rounds.bare].every(({ processorMs }) => processorMs !== null);
  return known ? [pairedFigure(rounds, `${name}: processor time`, 'ms', ({ processorMs }) => processorMs ?? 0)] : [];
}
