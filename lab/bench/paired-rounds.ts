import type { Figure, Target } from './figures.ts';
import type { Measurement, Session } from './session.ts';

export type Measure = () => Promise<Measurement>;

/** A load for the server and for what it is compared with: a bare loop, or another server. */
interface Paired<Part> {
  readonly reference: Part;
  readonly server: Part;
}

/**
 * Each round measures the reference and then the server, so that both run at the same pace of the machine. What comes
 * before the first round is not counted.
 */
export async function inPairedRounds(
  session: Session,
  title: string,
  load: Paired<Measure>,
): Promise<Paired<readonly Measurement[]>> {
  const [reference, server]: [Measurement[], Measurement[]] = [[], []];
  for (let round = 0; round <= session.settings.rounds; round++) {
    const rounds = [await load.reference(), await load.server()] as const;
    const [referenceRate, rate] = rounds.map(({ perSecond }) => Math.round(perSecond));
    session.log(`${title}, ${round === 0 ? 'warm-up' : `round ${round}`}: ${rate}/s, reference ${referenceRate}/s`);
    if (round === 0) continue;
    reference.push(rounds[0]);
    server.push(rounds[1]);
  }
  return { reference, server };
}

/**
 * The rate, and the processor time of a request where it is known: it shows the cost even while other processes slow the
 * machine down.
 */
export function rateFigures(
  name: string,
  { server, reference }: Paired<readonly Measurement[]>,
  targets: readonly Target[],
): Figure[] {
  const figure = (title: string, unit: string, value: (measurement: Measurement) => number): Figure => ({
    ...{ name: title, unit, rounds: server.map(value), reference: reference.map(value) },
  });
  const isKnown = [...server, ...reference].every(({ processorMs }) => processorMs !== null);
  return [
    { ...figure(name, '/s', ({ perSecond }) => perSecond), targets },
    ...(isKnown ? [figure(`${name}: processor time`, 'ms', ({ processorMs }) => processorMs ?? 0)] : []),
  ];
}
