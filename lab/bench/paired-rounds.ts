import type { Figure, Target } from './figures.ts';
import type { Measurement, Session } from './session.ts';

/** A load for the server and for what it is compared with: a bare loop, or the server of another checkout. */
export interface PairedLoad {
  readonly title: string;
  readonly reference: () => Promise<Measurement>;
  readonly server: () => Promise<Measurement>;
}

export interface PairedRounds {
  readonly reference: readonly Measurement[];
  readonly server: readonly Measurement[];
}

/** Each round measures the reference and then the server, so that both run at the same pace of the machine. */
export async function inPairedRounds(session: Session, load: PairedLoad): Promise<PairedRounds> {
  const rounds = noRounds();
  for (let round = 1; round <= session.settings.rounds; round++) await addRound(session, load, rounds);
  return rounds;
}

/** Measures two loads that are compared with each other in the same rounds. */
export async function inAlternatingRounds(
  session: Session,
  [first, second]: readonly [PairedLoad, PairedLoad],
): Promise<readonly [PairedRounds, PairedRounds]> {
  const [ofFirst, ofSecond] = [noRounds(), noRounds()];
  for (let round = 1; round <= session.settings.rounds; round++) {
    await addRound(session, first, ofFirst);
    await addRound(session, second, ofSecond);
  }
  return [ofFirst, ofSecond];
}

interface GrowingRounds {
  readonly reference: Measurement[];
  readonly server: Measurement[];
}

const noRounds = (): GrowingRounds => ({ reference: [], server: [] });

async function addRound(session: Session, load: PairedLoad, { reference, server }: GrowingRounds): Promise<void> {
  const referenceRound = await load.reference();
  const serverRound = await load.server();
  reference.push(referenceRound);
  server.push(serverRound);
  const [rate, referenceRate] = [serverRound, referenceRound].map(({ perSecond }) => Math.round(perSecond));
  session.log(`${load.title}, round ${server.length}: ${rate}/s, reference ${referenceRate}/s`);
}

export function pairedFigure(
  { server, reference }: PairedRounds,
  name: string,
  unit: string,
  value: (measurement: Measurement) => number,
  targets: readonly Target[] = [],
): Figure {
  return { name, unit, rounds: server.map(value), reference: reference.map(value), targets };
}

/** Time of a request with much data divided by its time with little. The reference shows what the machine contributes. */
export function slowdownFigure(name: string, few: PairedRounds, many: PairedRounds): Figure {
  const slowdown = (before: readonly Measurement[], after: readonly Measurement[]) =>
    after.map(({ perSecond }, round) => (before[round]?.perSecond ?? Number.NaN) / perSecond);
  return {
    name,
    unit: '×',
    rounds: slowdown(few.server, many.server),
    reference: slowdown(few.reference, many.reference),
    targets: [{ of: 'value', atMost: 1.2 }],
  };
}

/** Processor time shows the cost of a request even while other processes slow the machine down. Empty where it is unknown. */
export function processorFigures(rounds: PairedRounds, name: string): Figure[] {
  const known = [...rounds.server, ...rounds.reference].every(({ processorMs }) => processorMs !== null);
  return known ? [pairedFigure(rounds, `${name}: processor time`, 'ms', ({ processorMs }) => processorMs ?? 0)] : [];
}
