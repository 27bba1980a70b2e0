import { Gauge, type Registry } from 'prom-client';

/** One family of gauges. Several gauges that one read fills belong to one source. */
export interface GaugeSource<Name extends string = string> {
  /** The help of each gauge, by its name without the prefix `perpetua_`. */
  readonly gauges: Readonly<Record<Name, string>>;
  /** The label of every gauge of the source, if there is one. */
  readonly label?: string;
  /** Which value counts if several processes have one; the largest if absent. */
  readonly aggregator?: 'sum' | 'min';
  /**
   * Runs on every scrape. Without a label the key of the inner record is ''. If it rejects, the gauges are NaN, so that an
   * outage does not show as zero.
   */
  read(): Promise<Readonly<Record<Name, Readonly<Record<string, number>>>>>;
}

/** A source without labels. */
export const plainGauges = <Name extends string>(
  gauges: Readonly<Record<Name, string>>,
  read: () => Promise<Readonly<Record<Name, number>>>,
): GaugeSource<Name> => ({
  gauges,
  async read() {
    const values = await read();
    const named = (Object.keys(gauges) as Name[]).map((name) => [name, { '': values[name] }]);
    return Object.fromEntries(named) as Record<Name, Record<string, number>>;
  },
});

/** Registers the gauges of a source. A read that takes longer than three seconds counts as failed. */
export function addGauges<Name extends string>(registry: Registry, source: GaugeSource<Name>): void {
  const names = Object.keys(source.gauges) as Name[];
  const labelNames = source.label ? [source.label] : [];
  const gauges = new Map<Name, Gauge>();
  const set = (name: Name, label: string, value: number) =>
    source.label ? gauges.get(name)?.set({ [source.label]: label }, value) : gauges.get(name)?.set(value);
  const fill = async () => {
    const values = await inTime(source.read()).catch(() => null);
    for (const name of names) {
      if (!values) gauges.get(name)?.reset();
      if (!values && !source.label) set(name, '', Number.NaN);
      for (const [label, value] of Object.entries(values?.[name] ?? {})) set(name, label, value);
    }
  };
  // A scrape collects every gauge; all gauges of a source wait for one read.
  let filling: Promise<void> | null = null;
  const collect = () => {
    filling ??= fill().finally(() => {
      filling = null;
    });
    return filling;
  };
  for (const name of names) {
    const gauge = new Gauge({
      name: `perpetua_${name}`,
      help: source.gauges[name],
      labelNames,
      aggregator: source.aggregator ?? 'max',
      registers: [registry],
      collect,
    });
    gauges.set(name, gauge);
  }
}

const DEADLINE_MS = 3_000;

/** A database that hangs must not hold up a scrape, which reports that very fact. */
async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the read took too long')), DEADLINE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
