import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../server/platform/listening/free-port.ts';
import { fetchFrom } from '../api.ts';
import { type RunningCommand, startCommand } from '../command-run.ts';
import type { Figure } from '../figures.ts';
import { makeFinal, readLedger } from '../ledger-state.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import { processorTime } from '../process-usage.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Measurement, Scenario, Session } from '../session.ts';

const MAX_SECONDS = 300;
const POLL_MS = 10;

/** A mirror in its own process, with its own database, that follows a service at full load; and one that begins with its whole ledger. */
export const mirror: Scenario = {
  name: 'mirror',
  async run(session) {
    const { warmUp, writes, rounds: count } = session.settings;
    const without = await session.startAnother('without-mirror');
    const mirrored = await session.startAnother('with-mirror');
    const [createWithout, createWith] = [creating(session, without), creating(session, mirrored)];
    const following = await startMirror(session, mirrored, 'mirror');
    await createWithout(warmUp);
    await createWith(warmUp);
    await untilCompared(following, mirrored);

    const [rates, entriesBehind, secondsBehind]: [number[], number[], number[]] = [[], [], []];
    const rounds = await inPairedRounds(session, {
      title: 'createBEO with a mirror',
      reference: async () => {
        const measurement = await createWithout(writes);
        await makeFinal(without.url);
        return measurement;
      },
      server: async () => {
        const before = await following.verifiedTo();
        const measurement = await createWith(writes);
        const ended = performance.now();
        const after = await following.verifiedTo();
        const { head } = await readLedger(mirrored.url);
        await untilVerified(following, head.seq);
        rates.push((after - before) / measurement.seconds);
        entriesBehind.push(head.seq - after);
        secondsBehind.push((performance.now() - ended) / 1000);
        // Otherwise its comparison with the network would slow down the next measurement.
        await untilCompared(following, mirrored);
        return measurement;
      },
    });
    await following.stop();
    await without.stop();

    const { head } = await makeFinal(mirrored.url);
    const [catchingUp, processorMs]: [number[], number[]] = [[], []];
    for (let round = 1; round <= count; round++) {
      const beginning = await startMirror(session, mirrored, `mirror-${round}`);
      const begun = performance.now();
      const from = await beginning.verifiedTo();
      await untilVerified(beginning, head.seq);
      catchingUp.push((head.seq - from) / ((performance.now() - begun) / 1000));
      const used = await processorTime(beginning.pid);
      if (used !== null) processorMs.push(used / head.seq);
      session.log(`a mirror of ${head.seq} entries, round ${round}: ${catchingUp.at(-1)?.toFixed(0)} entries/s`);
      await beginning.stop();
    }
    await mirrored.stop();

    const perSecond = ({ perSecond }: Measurement) => perSecond;
    const loads = rounds.server.map(perSecond);
    return [
      pairedFigure(rounds, 'createBEO with a mirror on the same machine, against without', '/s', perSecond),
      ...processorFigures(rounds, 'createBEO with a mirror, against without'),
      { name: 'a mirror during this load', unit: 'entries/s', rounds: rates, reference: loads },
      { name: 'entries that the mirror is behind at its end', unit: 'entries', rounds: entriesBehind },
      {
        name: 'seconds until the mirror has verified them',
        unit: 's',
        rounds: secondsBehind,
        targets: [{ of: 'value', atMost: 2 }],
      },
      {
        name: `a mirror that begins with ${head.seq} entries, against createBEO without one`,
        unit: 'entries/s',
        rounds: catchingUp,
        reference: rounds.reference.map(perSecond),
        targets: [{ of: 'ratio', atLeast: 1 }],
      },
      // Unknown but on Linux. It includes the start of the process.
      ...(processorMs.length > 0
        ? [{ name: 'processor time of this mirror for an entry', unit: 'ms', rounds: processorMs }]
        : []),
    ] satisfies Figure[];
  },
};

/** Creates identities, and waits only for the responses. */
function creating(session: Session, server: ServerProcess): (count: number) => Promise<Measurement> {
  let created = 0;
  return (count) => {
    const workload = { kind: 'createBEO', from: created, count } as const;
    created += count;
    return session.measure(server, { workload });
  };
}

interface Mirror extends RunningCommand {
  readonly url: string;
  /** The seq of the last entry that it has verified. */
  verifiedTo(): Promise<number>;
}

async function startMirror(session: Session, server: ServerProcess, name: string): Promise<Mirror> {
  const port = await freePort();
  const dataDir = join(session.folder, name);
  mkdirSync(dataDir);
  const command = await startCommand(server, 'mirror', {
    args: ['--of', server.url, '--allow-private', '--port', String(port)],
    env: { DATA_DIR: dataDir, DATABASE_URL: await session.createDatabase() },
    signal: session.interrupted,
    ready: 'The mirror serves on',
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    ...command,
    url,
    async verifiedTo() {
      const response = await fetchFrom(`${url}/health`);
      await response.arrayBuffer();
      return Number(response.headers.get('x-perpetua-verified-to') ?? Number.NaN);
    },
  };
}

const untilVerified = (mirror: Mirror, seq: number): Promise<void> =>
  until(`the mirror had verified entry ${seq}`, async () => (await mirror.verifiedTo()) >= seq);

/** Waits until the mirror has found every entry of the service on the network. */
async function untilCompared(mirror: Mirror, server: ServerProcess): Promise<void> {
  const { head } = await makeFinal(server.url);
  await until('the mirror had compared every entry with the network', async () => {
    const ledger = await readLedger(mirror.url).catch(() => null);
    return ledger?.entries_final === head.seq;
  });
}

async function until(event: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + MAX_SECONDS * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It took longer than ${MAX_SECONDS} seconds until ${event}.`);
    await sleep(POLL_MS);
  }
}
